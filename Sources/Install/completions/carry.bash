# Completion of carry(1) for bash.

_carry_files() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$1"); }

_carry() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} options
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    mapfile -t COMPREPLY < <(
      compgen -W "drag drop copy paste monitor regions inspect play test replay describe convert record devices doctor policy --help --version" -- "$current")
    return
  fi
  case $previous in
    --data | --socket | --config | --picture) _carry_files "$current"; return ;;
    --to | --keep | --manifests | --policy) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
    --device) mapfile -t COMPREPLY < <(compgen -G "${current:-/dev/input/event}*"); return ;;
    --type | --accept)
      mapfile -t COMPREPLY < <(
        compgen -W "text/plain text/uri-list text/html image/png image/jpeg application/pdf" -- "$current")
      return ;;
    --screen) mapfile -t COMPREPLY < <(compgen -W "1280x800 1920x1080 2560x1440 3840x2160" -- "$current"); return ;;
    --text | --geometry | --wait) return ;;
    --exec) mapfile -t COMPREPLY < <(compgen -c -- "$current"); return ;;
  esac
  case $command in
    drag) options="--text --data --type --stdin --all --together --add --move --geometry --once --target --keep --print-path --null --json
      --with-engine --start-engine --socket" ;;
    drop) options="--accept --to --move --preserve --print --print-path --null --keep --exec --geometry --once --json --with-engine
      --start-engine --socket" ;;
    copy) options="--text --data --type --foreground" ;;
    paste) options="--type --to --types --null" ;;
    monitor) options="--json --verbose --details --with-engine --socket" ;;
    regions) options="--json --watch --draw --socket" ;;
    inspect) options="--terminal --socket" ;;
    play) options="--verbose --socket" ;;
    test) options="--keep --screen --wait" ;;
    replay) options="--fast --json --screen --config --explain" ;;
    describe) options="--json --picture --force" ;;
    convert) options="--force" ;;
    record) options="--device --force" ;;
    devices) options="--all --json" ;;
    doctor) options="--json --socket --config --manifests --policy" ;;
    policy) options="--manifests --policy" ;;
    *) return ;;
  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options --help" -- "$current")
    return
  fi
  case $command in
    policy) mapfile -t COMPREPLY < <(compgen -W "check" -- "$current") ;;
    drag | copy | play | test | replay | describe | convert | record) _carry_files "$current" ;;
  esac
}

complete -F _carry carry
