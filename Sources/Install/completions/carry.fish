# Completion of carry(1) for fish.

function __carry_needs_command
    test (count (commandline -opc)) -eq 1
end

function __carry_is
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end

complete -c carry -f
complete -c carry -n __carry_needs_command -a drag -d 'a window of things to drag'
complete -c carry -n __carry_needs_command -a drop -d 'a window that keeps, prints or saves what is dropped on it'
complete -c carry -n __carry_needs_command -a copy -d 'put text, data or files on the clipboard'
complete -c carry -n __carry_needs_command -a paste -d 'print or save what is on the clipboard'
complete -c carry -n __carry_needs_command -a monitor -d 'print the steps of all drags'
complete -c carry -n __carry_needs_command -a regions -d 'list the regions of all applications'
complete -c carry -n __carry_needs_command -a play -d 'play a gesture script into an engine for tests'
complete -c carry -n __carry_needs_command -a test -d 'test programs with gesture scripts, without a touchscreen'
complete -c carry -n __carry_needs_command -a replay -d 'print the contacts and gestures of a recording'
complete -c carry -n __carry_needs_command -a describe -d 'describe a recording'
complete -c carry -n __carry_needs_command -a convert -d 'convert recordings and gesture scripts'
complete -c carry -n __carry_needs_command -a record -d 'record a touch device'
complete -c carry -n __carry_needs_command -a devices -d 'list touch devices, and whether they can be read'
complete -c carry -n __carry_needs_command -a doctor -d 'check display, devices, settings and engine'
complete -c carry -n __carry_needs_command -a policy -d 'check whether the policy allows a drag'
complete -c carry -n __carry_needs_command -l version -d 'print the version'
complete -c carry -l help -d 'print a summary'

complete -c carry -n '__carry_is drag copy play test replay describe convert record' -F
complete -c carry -n '__carry_is drag copy' -l text -x -d 'a text'
complete -c carry -n '__carry_is drag copy' -l data -r -F -d 'the contents of a file'
complete -c carry -n '__carry_is drag copy paste' -l type -x -a '(__fish_print_xdg_mimetypes 2>/dev/null)' -d 'the type of the data'
complete -c carry -n '__carry_is drop' -l accept -x -a '(__fish_print_xdg_mimetypes 2>/dev/null)' -d 'take items of this type'
complete -c carry -n '__carry_is drop paste' -l to -x -a '(__fish_complete_directories)' -d 'save into this directory'
complete -c carry -n '__carry_is drag drop' -l move -d 'move instead of copy, where both sides agree'
complete -c carry -n '__carry_is drag' -s I -l stdin -d 'take paths from standard input'
complete -c carry -n '__carry_is drag' -s a -l all -d 'each drag takes all files'
complete -c carry -n '__carry_is drag' -l add -d 'add the files to the newest window'
complete -c carry -n '__carry_is drag' -s t -l target -d 'take drops instead, and print them'
complete -c carry -n '__carry_is drag drop' -s k -l keep -d 'keep what was dropped in the window'
complete -c carry -n '__carry_is drag drop' -s p -l print-path -d 'print the paths of dropped files'
complete -c carry -n '__carry_is drag drop paste' -s 0 -l null -d 'end each path with a NUL'
complete -c carry -n '__carry_is drag' -l together -d 'all files as one item'
complete -c carry -n '__carry_is drop' -l preserve -d 'keep times and permissions'
complete -c carry -n '__carry_is drop' -l print -d 'print what was dropped and nothing else'
complete -c carry -n '__carry_is drop' -l exec -x -a '(__fish_complete_command)' -d 'run this with the path of each thing saved'
complete -c carry -n '__carry_is drag drop' -l geometry -x -d 'size and place of the window'
complete -c carry -n '__carry_is drag drop' -s x -l once -d 'exit after the first one'
complete -c carry -n '__carry_is copy' -l foreground -d 'serve the clipboard in this process'
complete -c carry -n '__carry_is paste' -l types -d 'print the types'
complete -c carry -n '__carry_is drag drop' -l start-engine -d 'start carryd if none runs'
complete -c carry -n '__carry_is monitor' -s v -l verbose -d 'print each motion, too'
complete -c carry -n '__carry_is play' -s v -l verbose -d 'print the steps of the drags'
complete -c carry -n '__carry_is regions' -l draw -d 'frame them over the screen'
complete -c carry -n '__carry_is regions' -l watch -d 'print the list whenever it changes'
complete -c carry -n '__carry_is test' -l keep -x -a '(__fish_complete_directories)' -d 'where files of failed scripts are kept'
complete -c carry -n '__carry_is test' -l wait -x -d 'begin when so many programs have regions'
complete -c carry -n '__carry_is drag drop monitor' -l with-engine -d 'exit when the engine does'
complete -c carry -n '__carry_is drag drop monitor regions replay describe devices doctor' -l json -d 'one JSON object a line'
complete -c carry -n '__carry_is drag drop monitor regions play doctor' -l socket -r -F -d 'the socket of the engine'
complete -c carry -n '__carry_is describe' -l picture -r -F -d 'draw it into this SVG file'
complete -c carry -n '__carry_is replay' -l fast -d 'as fast as possible'
complete -c carry -n '__carry_is replay test' -l screen -x -a '1280x800 1920x1080 2560x1440 3840x2160' -d 'the screen it covers'
complete -c carry -n '__carry_is record' -l device -x -a '(ls /dev/input/event* 2>/dev/null)' -d 'the device to record'
complete -c carry -n '__carry_is convert record describe' -l force -d 'replace the file if it is there'
complete -c carry -n '__carry_is devices' -l all -d 'also devices that are no touch devices'
complete -c carry -n '__carry_is replay' -l config -r -F -d 'settings'
complete -c carry -n '__carry_is policy' -a check -d 'one source, target and type'
complete -c carry -n '__carry_is policy doctor' -l manifests -x -a '(__fish_complete_directories)' -d 'the manifests of programs'
complete -c carry -n '__carry_is policy doctor' -l policy -x -a '(__fish_complete_directories)' -d 'the policy'
complete -c carry -n '__carry_is doctor' -l config -r -F -d 'the settings to check'
