// See mutex.c; nothing is called by name.
