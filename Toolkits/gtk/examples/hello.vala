// GTK 4: two labels; the text of one can be dragged onto the other.
int main (string[] args) {
  var app = new Gtk.Application ("org.example.hello", 0);
  app.activate.connect (() => {
    var box = new Gtk.Box (Gtk.Orientation.HORIZONTAL, 0) { homogeneous = true };
    var from = new Gtk.Label ("Drag me");
    var to = new Gtk.Label ("Drop here");
    var source = new Carry.DragSource ();
    source.prepare.connect ((drag, x, y) => drag.add_text (from.label));
    from.add_controller (source);
    var target = new Carry.DropTarget (typeof (string));
    target.value.connect ((value, x, y) => {
      to.label = value.get_string ();
      print ("value %s\n", to.label);
    });
    to.add_controller (target);
    box.append (from);
    box.append (to);
    new Gtk.ApplicationWindow (app) { child = box, default_width = 700, default_height = 400 }.present ();
  });
  return app.run (args);
}
