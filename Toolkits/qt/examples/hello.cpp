// Two labels: the text of one can be dragged onto the other.
#include <CarryQt.h>
#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>

int main(int argc, char **argv) {
  QApplication app(argc, argv);
  QWidget window;
  auto *row = new QHBoxLayout(&window);
  auto *from = new QLabel("Drag me"), *to = new QLabel("Drop here");
  row->addWidget(from, 1), row->addWidget(to, 1);
  auto *source = new CarryDragSource(from);
  source->items = [=](QPointF) { return QList<CarryItem>{from->text()}; };
  auto *area = new CarryDropArea(to);
  area->accepts = QStringList{"text/plain"};
  QObject::connect(area, &CarryDropArea::dropped, [=](CarryDrop *drop) {
    drop->text([=](const QString &text, const QString &) { to->setText(text); });
  });
  window.resize(700, 400);
  window.show();
  return app.exec();
}
