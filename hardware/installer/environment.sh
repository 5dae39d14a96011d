# shellcheck shell=bash
# The environment of one version: made by the service's user, of files whose hashes are known. Sourced by install.sh.

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

is_complete() { # FOLDER: the environment has every file as it was installed
  [ -s "$1/$DIGESTS" ] && [ -x "$1/bin/python3" ] && (cd "$1" && sha256sum --check --status $DIGESTS)
}

as_user() { # COMMAND...: run it without root's rights, in a folder that the service's user may read
  # shellcheck disable=SC2016  # the inner shell expands these
  runuser -u $OUR_USER -- env HOME=$WORK sh -c 'cd "$HOME" && exec "$@"' sh "$@"
}

pip_install() { # PYTHON OPTION...: install wheels whose hashes are known; pip builds nothing
  local python=$1
  shift
  as_user "$python" -m pip install -q --disable-pip-version-check --no-cache-dir --only-binary :all: --require-hashes "$@"
}

build_wheel() { # PYTHON: build the program's wheel in the work folder, with the pinned build backend
  pip_install "$1" --target $WORK/backend -r $WORK/source/hardware/requirements/build.txt &&
    as_user env PYTHONPATH=$WORK/backend SOURCE_DATE_EPOCH=1580601600 "$1" -m pip wheel -q --disable-pip-version-check \
      --no-index --no-deps --no-build-isolation --no-cache-dir --wheel-dir $WORK/wheels $WORK/source
}

fill_environment() { # FOLDER: install packages and program into this new folder
  local python=$1/bin/python3
  as_user python3 -m venv --system-site-packages "$1" &&
    pip_install "$python" -r $WORK/source/hardware/requirements/program.txt || return
  if ! "$python" -c 'import sys; from importlib.util import find_spec; sys.exit(not find_spec("lgpio"))'; then
    # Its import would make a pipe, so it is only looked for.
    pip_install "$python" -r $WORK/source/hardware/requirements/lgpio.txt 2>/dev/null ||
      say "  !      lgpio cannot be installed: a simulated board runs, a real one does not"
  fi
  build_wheel "$python" &&
    as_user "$python" -m pip install -q --disable-pip-version-check --no-index --no-deps --find-links $WORK/wheels cribboard &&
    as_user "$1/bin/cribboard" --version >/dev/null
}

make_environment() { # FOLDER
  if [ "$dry" = no ] && is_complete "$1"; then
    unchanged "$1"
    return
  fi
  say "  $doing make $1, as $OUR_USER, of files with known hashes"
  [ "$dry" = no ] || return 0
  rm -rf "$1" $WORK
  install -d -m 755 $VERSIONS
  install -d -m 755 -o $OUR_USER -g $OUR_USER "$1" $WORK
  # The user may not be allowed to read the folder that this script is in.
  install -d -m 755 $WORK/source
  (cd "$SOURCE" && sources | tr '\n' '\0' | xargs -0 cp --parents -t $WORK/source)
  chmod -R a+rX $WORK/source
  fill_environment "$1" ||
    fail "the program could not be installed. Fix: check the network, then run this again"
  rm -rf $WORK
  # The service may not change its own program.
  chown -hR root:root "$1"
  chmod -R go-w "$1"
  files_of "$1" | (cd "$1" && xargs -0 sha256sum) >"$1/$DIGESTS.new"
  sync -f "$1"
  mv "$1/$DIGESTS.new" "$1/$DIGESTS"
}
