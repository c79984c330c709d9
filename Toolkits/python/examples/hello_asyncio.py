#!/usr/bin/env python3
"""The same with asyncio: what is dragged is made when it is requested, and the drop is awaited."""
import asyncio
import tkinter

import carry.tk


async def slow():
    await asyncio.sleep(0.3)
    return "made when asked for"


async def main():
    root = tkinter.Tk()
    root.geometry("700x400+0+0")
    source = tkinter.Label(root, text="Drag me")
    target = tkinter.Label(root, text="Drop here")
    source.place(relwidth=0.5, relheight=1)
    target.place(relx=0.5, relwidth=0.5, relheight=1)
    root.update()
    carry.client()
    carry.tk.widget(source).on_drag(
        lambda: [source["text"], carry.Item(data={"text/plain;charset=utf-8": slow})],
        ended=lambda drag: print("ended:", drag.operation.name, flush=True),
    )

    @carry.tk.widget(target).on_drop("text/plain")
    async def dropped(drop):
        target["text"] = ", ".join(await drop.texts())
        print("dropped:", target["text"], flush=True)

    while True:
        root.update()
        await asyncio.sleep(0.01)


asyncio.run(main())
