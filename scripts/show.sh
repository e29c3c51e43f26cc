# Sourced by scripts that show commands as one would type them. Wants $hornet, the binary.

# Prints a command of Hornet, then runs it.
show() {
    printf '\n$ hornet'
    local word
    for word in "$@"; do
        case $word in
            --call) printf ' \\\n    --call' ;;
            *[\ \(\{]*) printf " '%s'" "$word" ;;
            *) printf ' %s' "$word" ;;
        esac
    done
    echo
    "$hornet" "$@"
}

# The same for a command that has to end with this exit code.
show_exit() { # code word…
    local wanted=$1 code=0
    shift
    show "$@" || code=$?
    [ "$code" -eq "$wanted" ] || { echo "exit code $code, not $wanted" >&2; exit 1; }
}
