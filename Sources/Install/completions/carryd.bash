# Completion of carryd(1) for bash.

_carryd() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  case $previous in
    --replay | --record-session | --socket | --config)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return ;;
    --manifests | --policy)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      return ;;
    --device) mapfile -t COMPREPLY < <(compgen -G "${current:-/dev/input/event}*"); return ;;
    --shelf) mapfile -t COMPREPLY < <(compgen -W "right left top bottom none" -- "$current"); return ;;
    --display | --replay-delay | --replay-clients) return ;;
  esac
  mapfile -t COMPREPLY < <(
    compgen -W "--display --device --replay --replay-delay --replay-clients --test --record-session --socket --config --manifests --policy --trackpads --no-bridge --shelf --verbose --help --version" -- "$current")
}

complete -F _carryd carryd
