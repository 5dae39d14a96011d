# shellcheck shell=bash
# The environment of one version: made by a user of its own, of files whose hashes are known. Sourced by install.sh.

sources() { # print the files that the program is built from
  find pyproject.toml README.md LICENSE firmware_host board_drivers web_panel hardware release/description.py -type f \
    -not -path '*/__pycache__/*' -not -path 'hardware/build/*'
}

name_version() { # print the name of the environment: the version, and a digest of the sources and of Python's version
  local version digest
  version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$SOURCE/pyproject.toml")
  digest=$(cd "$SOURCE" && {
    sources | LC_ALL=C sort | tr '\n' '\0' | xargs -0 sha256sum
    python3 -V
  } | sha256sum)
  printf '%s-%s' "$version" "${digest:0:12}"
}

files_of() { (cd "$1" && find . -type f -not -path '*/__pycache__/*' -not -name "$DIGESTS*" -print0 | LC_ALL=C sort -z); }

is_sealed() { # FOLDER: it has every file as it was installed
  [ -s "$1/$DIGESTS" ] && (cd "$1" && sha256sum --check --status $DIGESTS)
}

is_complete() { [ -x "$1/bin/python3" ] && is_sealed "$1"; }

seal() { # FOLDER: give it to root, so that no service can change it, and write the digests of its files
  chown -hR root:root "$1" && chmod -R go-w "$1" &&
    files_of "$1" | (cd "$1" && xargs -0 sha256sum) >"$1/$DIGESTS.new" &&
    sync -f "$1" && mv "$1/$DIGESTS.new" "$1/$DIGESTS"
}

as_builder() { # COMMAND...: run it without root's rights, as a user that has no other program
  # shellcheck disable=SC2016  # the inner shell expands these
  runuser -u $BUILDER -- env HOME=$WORK sh -c 'cd "$HOME" && exec "$@"' sh "$@"
}

pip_install() { # PYTHON OPTION...: install wheels whose hashes are known; pip builds nothing
  local python=$1
  shift
  as_builder "$python" -m pip install -q --disable-pip-version-check --no-cache-dir --only-binary :all: --require-hashes "$@"
}

build_wheel() { # PYTHON: build the program's wheel in the work folder, with the pinned build backend
  pip_install "$1" --target $WORK/backend -r $WORK/source/hardware/requirements/build.txt &&
    as_builder env PYTHONPATH=$WORK/backend SOURCE_DATE_EPOCH=1580601600 "$1" -m pip wheel -q --disable-pip-version-check \
      --no-index --no-deps --no-build-isolation --no-cache-dir --wheel-dir $WORK/wheels $WORK/source
}

fill_environment() { # FOLDER: install packages and program into this new folder
  local python=$1/bin/python3
  as_builder python3 -m venv --system-site-packages "$1" &&
    pip_install "$python" -r $WORK/source/hardware/requirements/program.txt || return
  if ! as_builder "$python" -c 'import sys; from importlib.util import find_spec; sys.exit(not find_spec("lgpio"))'; then
    # Its import would make a pipe, so it is only looked for.
    pip_install "$python" -r $WORK/source/hardware/requirements/lgpio.txt 2>/dev/null ||
      say "  !      lgpio cannot be installed: a simulated board runs, a real one does not"
  fi
  build_wheel "$python" &&
    as_builder "$python" -m pip install -q --disable-pip-version-check --no-index --no-deps --find-links $WORK/wheels cribboard
}

smoke() { # FOLDER: every help, the small commands, and the page of a simulated board work in this environment
  works "$1/bin/python3" -I $WORK/source/firmware_host/doctor/smoke.py "$1/bin/cribboard"
}

works() { # COMMAND...: try it, and say how it fails
  local output
  output=$(as_builder "$@" 2>&1) && return
  say "  !      failed: $*"
  printf '%s\n' "$output" | tail -n 20 | sed 's/^/         | /'
  return 1
}

check_sources() { # a version's own copy of the sources must be complete: root runs this script from it
  local version=${SOURCE%/source}
  [ "$version" != "$SOURCE" ] && [ "$(dirname "$version")" = $VERSIONS ] || return 0
  (cd "$version" && grep -s ' \./source/' $DIGESTS | sha256sum --check --status) ||
    fail "$SOURCE is damaged. Fix: unpack the release again, and run hardware/install.sh in its folder"
}

copy_sources() { # FROM TO: into a new folder, so that every user may read them
  install -d -m 755 "$2" &&
    (cd "$1" && sources | tr '\n' '\0' | xargs -0 cp --parents -t "$2") &&
    chmod -R a+rX,go-w "$2"
}

make_environment() { # FOLDER
  if [ "$dry" = no ] && is_complete "$1"; then
    unchanged "$1"
    return
  fi
  say "  $doing make $1, as $BUILDER, of files with known hashes"
  [ "$dry" = no ] || return 0
  # The sources may be in the folder that is made again. The builder gets a copy of its own: it may not be allowed to read
  # the folder of this script, and what it can change, root does not run.
  rm -rf $KEPT $WORK
  copy_sources "$SOURCE" $KEPT
  rm -rf "$1"
  install -d -m 755 $VERSIONS
  install -d -m 755 -o $BUILDER -g $BUILDER "$1" $WORK
  copy_sources $KEPT $WORK/source
  fill_environment "$1" || fail "the program could not be installed. Fix: check the network, then run this again"
  smoke "$1" || fail "this version does not run on this computer, so nothing was changed. Fix: report what is printed above"
  rm -rf $WORK "$1/source"
  mv $KEPT "$1/source"
  seal "$1"
}
