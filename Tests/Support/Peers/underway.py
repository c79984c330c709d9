#!/usr/bin/env python3
"""Has more descriptors under way, sent and not received, than the kernel lets a user have; says "full", and stays."""
import array, resource, signal, socket

most = resource.getrlimit(resource.RLIMIT_NOFILE)[0] + 300
some = array.array("i", [1] * 253)
sockets, count = [], 0
while count < most:
    pair = socket.socketpair()
    sockets.append(pair)
    pair[0].setblocking(False)
    try:
        while count < most:
            pair[0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, some)])
            count += len(some)
    except BlockingIOError:
        pass
    except OSError as error:
        print(error, flush=True)
        break
print("full", flush=True)
signal.pause()
