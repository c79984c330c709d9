// An ordinary Swing program with a plugin of Carry's, own-swing.c: the plugin's window, on the left, lifts a text, and
// the frame on the right takes drops by Swing. With "copy" it copies a text by Carry, and pastes it by AWT.
//
//     java OwnSwing.java PLUGIN [copy]
import java.awt.Toolkit;
import java.awt.datatransfer.DataFlavor;
import java.awt.datatransfer.Transferable;
import javax.swing.*;

public class OwnSwing {
  static native void open();
  static native void copy();
  static native void lift();
  static native void dispatch();

  /// Swing waits for the data on the thread of its events, on which the plugin cannot answer meanwhile.
  static void read(String what, Transferable data) {
    long begin = System.nanoTime();
    Object text;
    try {
      text = data.getTransferData(DataFlavor.stringFlavor);
    } catch (Exception problem) {
      text = problem;
    }
    System.out.println(what + (System.nanoTime() - begin < 5_000_000_000L ? " soon " : " late ") + text);
  }

  static class Taker extends TransferHandler {
    @Override public boolean canImport(TransferSupport drop) { return drop.isDataFlavorSupported(DataFlavor.stringFlavor); }
    @Override public boolean importData(TransferSupport drop) {
      read("dropped", drop.getTransferable());
      return true;
    }
  }

  static void run(boolean copies) {
    open();
    new Timer(5, event -> dispatch()).start();
    if (copies) {
      copy();
      read("pasted", Toolkit.getDefaultToolkit().getSystemClipboard().getContents(null));
      System.exit(0);
    }
    JFrame frame = new JFrame();
    frame.setUndecorated(true);
    frame.setBounds(850, 250, 300, 300);
    JPanel panel = new JPanel();
    panel.setTransferHandler(new Taker());
    frame.setContentPane(panel);
    frame.setVisible(true);
    lift();
  }

  public static void main(String[] arguments) {
    System.load(arguments[0]);
    SwingUtilities.invokeLater(() -> run(arguments.length > 1));
  }
}
