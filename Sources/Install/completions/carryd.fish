# Completion of carryd(1) for fish.

complete -c carryd -f
complete -c carryd -l display -x -d 'the X display'
complete -c carryd -l device -x -a '(ls /dev/input/event* 2>/dev/null)' -d 'read this input device'
complete -c carryd -l replay -r -F -d 'play a recording'
complete -c carryd -l replay-delay -x -d 'start recordings after so many seconds'
complete -c carryd -l test -d 'fingers come from carry play and carry test'
complete -c carryd -l replay-clients -x -d 'start recordings when so many applications are there'
complete -c carryd -l socket -r -F -d 'the socket to listen on'
complete -c carryd -l config -r -F -d 'settings'
complete -c carryd -l manifests -x -a '(__fish_complete_directories)' -d 'the manifests of programs'
complete -c carryd -l policy -x -a '(__fish_complete_directories)' -d 'what may be dragged where'
complete -c carryd -l trackpads -d 'let trackpads carry too'
complete -c carryd -l no-bridge -d 'leave out the applications that speak XDND'
complete -c carryd -l shelf -x -a 'right left top bottom none' -d 'where the shelf appears'
complete -c carryd -l verbose -d 'say more on standard error'
complete -c carryd -l help -d 'say what there is'
complete -c carryd -l version -d 'print the version'
