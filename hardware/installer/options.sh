# shellcheck shell=bash
# Options: parts of the program that need more packages. The chosen ones are remembered in $OPTIONS, and each version gets
# them. The Python packages of an option are in a folder of their own beside the environment's, so that an option can be
# added to a version, and taken away, without changing the files of the version. Sourced by install.sh.

KNOWN_OPTIONS="mqtt https voice club league"

packages_of() { # OPTION: print Debian's packages that it needs
  case $1 in
    voice) printf 'espeak-ng alsa-utils' ;;
    club) printf 'mosquitto' ;;
  esac
}

is_in() { # WORD LIST: the list, of words between spaces, has the word
  case " $2 " in *" $1 "*) return 0 ;; esac
  return 1
}

known_options() { # TEXT: print the options in a text such as mqtt,https; false after naming what is not one
  local name names
  names=${1//,/ }
  [ -n "${names// /}" ] || { printf 'nothing' && return 1; }
  for name in $names; do
    is_in "$name" "$KNOWN_OPTIONS" || { printf '%s' "$name" && return 1; }
  done
  printf '%s' "$names"
}

choose_options() { # ADDED REMOVED: let $chosen be the remembered options, with those and without these
  local name remembered=""
  if [ -f $OPTIONS ]; then remembered=$(sed 's/#.*//' $OPTIONS | tr '\n' ' '); fi
  chosen=""
  for name in $KNOWN_OPTIONS; do
    if is_in "$name" "$1" || { is_in "$name" "$remembered" && ! is_in "$name" "$2"; }; then chosen="$chosen $name"; fi
  done
  chosen=${chosen# }
}

remember_options() {
  if [ -z "$chosen" ]; then
    remove $OPTIONS
    return
  fi
  {
    printf '# The options of this board. Change them by: sudo cribboard-install --with NAME, or --without NAME\n'
    printf '%s\n' $chosen
  } | put $OPTIONS 644
}

requirements_of() { # FOLDER OPTION: print the path of the option's packages for this version; nothing if it has none
  local file
  for file in "$1/source/hardware/requirements/$2.txt" "$DATA/requirements/$2.txt"; do
    if [ -f "$file" ]; then
      printf '%s' "$file"
      return
    fi
  done
}

let_python_find_options() { # FOLDER: Python of this version looks into the folders of all options; it skips missing ones
  local packages name
  for packages in "$1"/lib/python3*/site-packages; do
    for name in $KNOWN_OPTIONS; do printf '../../../options/%s\n' "$name"; done | put "$packages/cribboard_options.pth" 644
  done
}

add_option() { # FOLDER OPTION FILE: install the packages of a file for this version
  local made=$WORK/$2
  rm -rf $WORK
  install -d -m 755 -o $BUILDER -g $BUILDER $WORK "$made" &&
    install -m 644 "$3" "$WORK/packages.txt" &&
    pip_install "$1/bin/python3" --target "$made" -r "$WORK/packages.txt" &&
    seal "$made" && install -d -m 755 "$1/options" && rm -rf "$1/options/$2" && mv "$made" "$1/options/$2" && rm -rf $WORK
}

install_options() { # FOLDER: let this version have the chosen options, and no other; false if one cannot be installed
  local name file folder
  for folder in "$1"/options/*; do
    if [ -d "$folder" ] && ! is_in "$(basename "$folder")" "$chosen"; then run rm -rf "$folder"; fi
  done
  [ -n "$chosen" ] || return 0
  if [ "$dry" = no ]; then let_python_find_options "$1"; fi
  for name in $chosen; do
    file=$(requirements_of "$1" "$name")
    folder=$1/options/$name
    if [ -z "$file" ] || { [ "$dry" = no ] && is_sealed "$folder"; }; then
      unchanged "$name"
      continue
    fi
    say "  $doing install the option $name in $folder, of files with known hashes"
    [ "$dry" = yes ] || add_option "$1" "$name" "$file" || return 1
  done
}
