// An ordinary Swing program that takes drops, or from which things are dragged with the mouse. It knows nothing of Carry.
//
//     java Swing.java X Y                  a window without a frame of 300x300 pixels there; takes files and text
//     java Swing.java X Y text TEXT        the text can be dragged
//     java Swing.java X Y files PATH...    the files can be dragged
//     java Swing.java X Y picture PATH     the picture can be dragged, as pixels
//
// It prints "ready"; for each drop a line "got text TEXT" or "got file PATH"; and at the end of a drag "dropped" or "failed".
import java.awt.datatransfer.*;
import java.awt.event.*;
import java.io.File;
import java.util.*;
import javax.imageio.ImageIO;
import javax.swing.*;

public class Swing {
  static class Things implements Transferable {
    final DataFlavor flavor;
    final Object value;

    Things(DataFlavor flavor, Object value) {
      this.flavor = flavor;
      this.value = value;
    }

    public DataFlavor[] getTransferDataFlavors() { return new DataFlavor[] {flavor}; }
    public boolean isDataFlavorSupported(DataFlavor f) { return f.equals(flavor); }
    public Object getTransferData(DataFlavor f) { return value; }
  }

  static class Taker extends TransferHandler {
    @Override public boolean canImport(TransferSupport drop) {
      return drop.isDataFlavorSupported(DataFlavor.javaFileListFlavor) || drop.isDataFlavorSupported(DataFlavor.stringFlavor);
    }

    @Override public boolean importData(TransferSupport drop) {
      try {
        Transferable data = drop.getTransferable();
        if (drop.isDataFlavorSupported(DataFlavor.javaFileListFlavor)) {
          for (Object file : (List<?>) data.getTransferData(DataFlavor.javaFileListFlavor)) System.out.println("got file " + file);
        } else {
          System.out.println("got text " + data.getTransferData(DataFlavor.stringFlavor));
        }
        return true;
      } catch (Exception problem) {
        System.out.println("failed " + problem);
        return false;
      }
    }
  }

  static class Giver extends TransferHandler {
    final Transferable things;

    Giver(Transferable things) { this.things = things; }

    @Override public int getSourceActions(JComponent component) { return COPY; }
    @Override protected Transferable createTransferable(JComponent component) { return things; }

    @Override protected void exportDone(JComponent component, Transferable data, int action) {
      System.out.println(action == COPY ? "dropped" : "failed");
    }
  }

  static Transferable things(String[] arguments) throws Exception {
    switch (arguments[2]) {
      case "text": return new Things(DataFlavor.stringFlavor, arguments[3]);
      case "picture": return new Things(DataFlavor.imageFlavor, ImageIO.read(new File(arguments[3])));
      default:
        List<File> files = new ArrayList<>();
        for (int i = 3; i < arguments.length; i++) files.add(new File(arguments[i]));
        return new Things(DataFlavor.javaFileListFlavor, files);
    }
  }

  public static void main(String[] arguments) throws Exception {
    TransferHandler handler = arguments.length > 2 ? new Giver(things(arguments)) : new Taker();
    SwingUtilities.invokeLater(() -> {
      JLabel place = new JLabel("a place", SwingConstants.CENTER);
      place.setTransferHandler(handler);
      if (arguments.length > 2) {
        place.addMouseMotionListener(new MouseMotionAdapter() {
          @Override public void mouseDragged(MouseEvent event) { handler.exportAsDrag(place, event, TransferHandler.COPY); }
        });
      }
      JFrame window = new JFrame("Swing");
      window.setUndecorated(true);
      window.setBounds(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), 300, 300);
      window.add(place);
      window.addWindowListener(new WindowAdapter() {
        @Override public void windowOpened(WindowEvent event) { System.out.println("ready"); }
      });
      window.setVisible(true);
    });
  }
}
