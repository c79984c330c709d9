// A window of Qt 6 with widgets that are sources, drop areas and springs by CarryQt.h. It prints what happens.
//
// The content lies at fixed places, so that recordings can play on it: see main. The argument is a file to drag, or
// --popup.
#include <CarryQt.h>
#include <QApplication>
#include <QFile>
#include <QHBoxLayout>
#include <QImage>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTabWidget>
#include <QTimer>
#include <QTreeView>
#include <QUrl>
#include <QVBoxLayout>
#include <cstdio>

static QWidget *window;

static void say(const QString &line) {
  printf("%s\n", qPrintable(line));
  fflush(stdout);
}

template <typename Widget>
static Widget *put(Widget *widget, QWidget *parent, int x, int y, int width, int height) {
  widget->setParent(parent);
  widget->setGeometry(x, y, width, height);
  return widget;
}

template <typename Widget> static Widget *put(Widget *widget, int x, int y, int width, int height) {
  return put(widget, window, x, y, width, height);
}

struct Popup : QWidget {
  explicit Popup(QWidget *parent) : QWidget(parent, Qt::Popup) {}
  void showEvent(QShowEvent *) override { say("shown"); }
  void hideEvent(QHideEvent *) override { say("closed"); }
};

// ------------------------------------------------------------------------------------------------------- Sources ---

static CarryDragSource *makeSource(QWidget *widget, const QString &name, std::function<CarryItem()> item) {
  auto *source = new CarryDragSource(widget);
  widget->setAccessibleName(name);
  source->items = [=](QPointF point) {
    say(QString("items %1 at %2,%3").arg(name).arg(int(point.x())).arg(int(point.y())));
    return QList<CarryItem>{item()};
  };
  QObject::connect(source, &CarryDragSource::dragFinished,
                   [=](Qt::DropAction action) { say(QString("finished %1 %2").arg(name).arg(int(action))); });
  QObject::connect(source, &CarryDragSource::transferred, [=] { say("transferred " + name); });
  return source;
}

static QMimeData *picture() {
  QImage image(64, 48, QImage::Format_RGB32);
  image.fill(Qt::blue);
  auto *data = new QMimeData;
  data->setImageData(image);
  return data;
}

// ---------------------------------------------------------------------------------------------------- Drop areas ---

static void dropped(CarryDrop *drop, const QString &name) {
  if (name == "files")
    drop->mimeData([=](const QList<QMimeData *> &items) {
      for (QMimeData *item : items)
        for (const QUrl &url : item->urls()) {
          QFile file(url.toLocalFile());
          say("value " + name + ": " + (file.open(QFile::ReadOnly) ? QString(file.readAll()) : "unreadable"));
        }
    });
  else if (name == "pictures")
    drop->mimeData([=](const QList<QMimeData *> &items) {
      for (QMimeData *item : items) {
        const auto image = qvariant_cast<QImage>(item->imageData());
        say(QString("value %1: %2x%3").arg(name).arg(image.width()).arg(image.height()));
      }
    });
  else drop->text([=](const QString &text, const QString &) { say("value " + name + ": " + text); });
}

static QWidget *makeArea(QWidget *widget, const QString &name, const QString &type) {
  auto *area = new CarryDropArea(widget);
  widget->setAccessibleName(name);
  if (!type.isEmpty()) area->accepts = QStringList{type};
  QObject::connect(area, &CarryDropArea::entered, [=] { say("entered " + name); });
  QObject::connect(area, &CarryDropArea::exited, [=] { say("exited " + name); });
  QObject::connect(area, &CarryDropArea::dropped, [=](CarryDrop *drop) { dropped(drop, name); });
  return widget;
}

// ---------------------------------------------------------------------------------------------------- Item views ---

/// Twenty pixels a row.
static QListView *makeList(const QString &name, const QStringList &rows) {
  auto *model = new QStandardItemModel;
  for (const QString &row : rows) {
    auto *item = new QStandardItem(row);
    item->setSizeHint(QSize(100, 20));
    item->setDropEnabled(false);
    model->appendRow(item);
  }
  auto *list = new QListView;
  list->setFrameShape(QFrame::NoFrame);
  list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list->setDefaultDropAction(Qt::MoveAction);
  list->setModel(model);
  CarryItemView::attach(list);
  const auto changed = [=] {
    QStringList texts;
    for (int i = 0; i < model->rowCount(); i++) texts.append(model->item(i)->text());
    say(name + ": " + texts.join(' '));
  };
  QObject::connect(model, &QStandardItemModel::rowsRemoved, changed);
  QObject::connect(model, &QStandardItemModel::rowsInserted, list, changed, Qt::QueuedConnection);
  return list;
}

int main(int argc, char **argv) {
  QApplication app(argc, argv);
  app.setStyle("Fusion");
  app.setStyleSheet("QTabBar::tab { width: 140px; height: 30px; }");
  QWidget main(nullptr, Qt::FramelessWindowHint);
  window = &main;
  main.setGeometry(0, 0, 1000, 600);

  makeSource(put(new QLabel("A text"), 20, 20, 200, 60), "text", [] { return CarryItem(QString("Grüße")); });
  const QString file = argc > 1 ? argv[1] : "";
  makeSource(put(new QLabel("A file"), 20, 100, 200, 60), "file", [=] { return CarryItem::file(file); });
  makeSource(put(new QLabel("A picture"), 20, 180, 200, 60), "picture", [] { return CarryItem(picture()); });
  auto *box = put(new QWidget, 20, 260, 200, 60);
  auto *row = new QHBoxLayout(box);
  auto *button = new QPushButton("A button");
  QObject::connect(button, &QPushButton::clicked, [] { say("clicked"); });
  row->addWidget(button), row->addWidget(new QLabel("in a source"));
  makeSource(box, "box", [] { return CarryItem(QString("box")); });

  // Twenty pixels a row, and row 20 is at the top.
  auto *area = put(new QScrollArea, 20, 340, 200, 200);
  area->setFrameShape(QFrame::NoFrame);
  auto *rows = new QWidget;
  auto *column = new QVBoxLayout(rows);
  column->setContentsMargins(0, 0, 0, 0), column->setSpacing(0);
  for (int i = 0; i < 100; i++) {
    const QString name = QString("row %1").arg(i);
    auto *label = new QLabel(name);
    label->setFixedHeight(20);
    makeSource(label, name, [=] { return CarryItem(name); });
    makeArea(label, "row", "text/plain");
    column->addWidget(label);
  }
  area->setWidgetResizable(true);
  area->setWidget(rows);
  QObject::connect(area->verticalScrollBar(), &QScrollBar::valueChanged, [](int at) {
    static int highest;
    if (at > highest + 100) say(QString("at %1").arg(highest = at));
  });
  QTimer::singleShot(200, area, [=] { area->verticalScrollBar()->setValue(400); });

  auto *left = put(makeList("left", {"a", "b", "c", "d", "e"}), 250, 20, 150, 300);
  put(makeList("right", {"x", "y"}), 420, 20, 150, 300);
  for (int i : {1, 3}) left->selectionModel()->select(left->model()->index(i, 0), QItemSelectionModel::Select);

  // A branch with a row in it, each of twenty pixels.
  auto *branches = new QStandardItemModel;
  auto *folder = new QStandardItem("folder"), *inside = new QStandardItem("inside");
  for (auto *item : {folder, inside}) item->setSizeHint(QSize(100, 20));
  folder->appendRow(inside);
  branches->appendRow(folder);
  auto *tree = put(new QTreeView, 250, 420, 150, 120);
  tree->setFrameShape(QFrame::NoFrame);
  tree->setHeaderHidden(true);
  tree->setModel(branches);
  CarryItemView::attach(tree);
  QObject::connect(tree, &QTreeView::expanded, [](const QModelIndex &i) { say("open " + i.data().toString()); });
  QObject::connect(
      branches, &QStandardItemModel::rowsInserted, tree,
      [=](const QModelIndex &parent, int row) {
        say(parent.data().toString() + ": " + branches->index(row, 0, parent).data().toString());
      },
      Qt::QueuedConnection);

  // A button lies above the middle of the first area.
  makeArea(put(new QLabel("texts"), 600, 20, 300, 120), "texts", "text/plain");
  put(new QPushButton("above"), 700, 60, 100, 40);
  makeArea(put(new QLabel("pictures"), 600, 160, 300, 60), "pictures", "image/*");
  makeArea(put(new QLabel("files"), 600, 240, 300, 60), "files", "");

  auto *tabs = put(new QTabWidget, 600, 340, 300, 200);
  tabs->addTab(new QLabel("one"), "The first tab");
  tabs->addTab(makeArea(new QLabel("two"), "page", "text/plain"), "The second tab");
  QObject::connect(tabs, &QTabWidget::currentChanged, [](int page) { say(QString("page %1").arg(page)); });
  tabs->tabBar()->setAccessibleName("tabs");
  new CarrySpring(tabs);
  auto *spring = put(new QPushButton("A spring"), 250, 340, 150, 60);
  QObject::connect(spring, &QPushButton::clicked, [] { say("sprung"); });
  spring->setAccessibleName("spring");
  new CarrySpring(spring);

  main.show();
  Popup popup(&main);
  popup.setGeometry(50, 100, 200, 200);
  makeSource(put(new QLabel("In a popup"), &popup, 0, 0, 200, 200), "popup", [] { return CarryItem(QString("popup")); });
  if (file == "--popup") popup.show();
  return app.exec();
}
