# Completion of wf in bash; nothing else needs to be installed.

__wf_complete() {
    # Bash splits words also at ":", "=" and "@". Here they end where they end for wf.
    local line=${COMP_LINE:0:COMP_POINT} words=() i part
    for ((i = 0; i <= COMP_CWORD; i++)); do
        if ((i == 0)) || [[ $line == [[:space:]]* ]]; then
            words+=("")
            line=${line#"${line%%[![:space:]]*}"}
        fi
        part=${COMP_WORDS[i]}
        ((i < COMP_CWORD)) || part=$line
        words[${#words[@]} - 1]+=$part
        line=${line#"$part"}
    done

    # The last line of the answer says how bash goes on: 2 without a space, 4 without files.
    local out directive
    out=$("${words[0]/#\~\//$HOME/}" __completeNoDesc "${words[@]:1}" 2>/dev/null)
    directive=${out##*:}
    out=${out%:*}
    [[ $directive =~ ^[0-9]+$ ]] || directive=4
    ((directive & 2)) && compopt -o nospace
    ((directive & 4)) && compopt +o default

    # What stands before the last of those characters, bash has split off: it must not come again.
    local last=${words[${#words[@]} - 1]} split="" name
    [[ $last != -*=* ]] || last=${last#*=}
    for ((i = ${#last}; i > 0; i--)); do
        part=${last:i-1:1}
        if [[ $part == [:=@] && $COMP_WORDBREAKS == *"$part"* ]]; then
            split=${last:0:i}
            break
        fi
    done
    COMPREPLY=()
    while IFS= read -r name; do
        [[ -n $name ]] || continue
        printf -v name %q "${name#"$split"}"
        COMPREPLY+=("$name")
    done <<<"$out"
}

complete -o default -F __wf_complete wf
