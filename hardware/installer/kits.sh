# What people play on. `install.sh` sources this file.
# shellcheck shell=bash

KITS="page wood desk lights sensing"
# The kit of a board where nobody is asked: what every earlier version installed.
USUAL_KIT=sensing

kit_in_words() { # KIT
  case "$1" in
    page) printf 'the board on the page; nothing else is needed' ;;
    wood) printf 'your own board: you move its pegs, the page and phones keep the score' ;;
    desk) printf 'your own board, with a keypad and a display on this Pi' ;;
    lights) printf 'the same, with the lights of a circuit board beside it' ;;
    sensing) printf 'a board that reads its pegs' ;;
  esac
}

known_kit() { # NAME OR NUMBER: print the kit; 1 if there is none
  local name number=0
  for name in $KITS; do
    number=$((number + 1))
    if [ "$1" = "$name" ] || [ "$1" = "$number" ]; then
      printf '%s' "$name"
      return
    fi
  done
  return 1
}

ask_kit() { # ask on the terminal until the answer is a kit; an empty answer is the usual one. The kit goes to `kit`.
  local name number=0 answer
  say "What do you play on? (pictures: hardware/README.md)"
  for name in $KITS; do
    number=$((number + 1))
    printf '  %s  %-8s %s\n' "$number" "$name" "$(kit_in_words "$name")"
  done
  while :; do
    printf 'Number or name [%s]: ' "$USUAL_KIT"
    read -r answer || answer=
    if kit=$(known_kit "${answer:-$USUAL_KIT}"); then return; fi
    say "Expected one of ${KITS// /, }, got $answer."
  done
}

with_kit() { # FILE KIT: print the settings with this kit, in the place of the one before
  awk -v line="kit = \"$2\"" '
    { text[NR] = $0 }
    /^[ \t]*(kit|simulate)[ \t]*=/ { says[NR] = 1; if (!first) first = NR }
    END {
      if (!first) print line
      for (row = 1; row <= NR; row++) if (row == first) print line; else if (!(row in says)) print text[row]
    }' "$1"
}

choose_kit() { # what to play on, where the settings do not say it yet
  if [ -n "$kit" ] || [ -e "$SETTINGS" ]; then return; fi
  if [ -t 0 ] && [ "$dry" = no ]; then ask_kit; else kit=$USUAL_KIT; fi
}

note_changed_kit() { # the settings page may have chosen another kit, in a file that counts more
  if grep -Eqs '^ *(kit|simulate) *=' "$GAMES/settings.toml"; then
    say "  !      $GAMES/settings.toml has its own kit, chosen on the settings page. It counts more than $SETTINGS."
  fi
}
