/* Lists and grids of Qt Quick: rows lift, and drops arrive between them. */
#include "CarryQuick.h"
#include "CarryQtPrivate.h"
#include <QAbstractItemModel>
#include <QGuiApplication>
#include <QPalette>
#include <QQuickWindow>
#include <QSGRectangleNode>
#include <QtQml>
#include <algorithm>

namespace {

/* Shows between which rows a drop would arrive. */
class Line : public QQuickItem {
public:
  explicit Line(QQuickItem *view) : QQuickItem(view) {
    setFlag(ItemHasContents);
    setZ(1);
    setVisible(false);
  }

  void point(const QRectF &rect) {
    setVisible(!rect.isEmpty());
    setPosition(rect.topLeft());
    setSize(rect.size());
    update();
  }

private:
  QSGNode *updatePaintNode(QSGNode *old, UpdatePaintNodeData *) override {
    auto *node = old ? static_cast<QSGRectangleNode *>(old) : window()->createRectangleNode();
    node->setRect(boundingRect());
    node->setColor(QGuiApplication::palette().color(QPalette::Highlight));
    return node;
  }
};

/* A row that is carried, wherever the model moves it meanwhile. */
struct Row {
  QPersistentModelIndex index;
  int number;
  bool hasIndex; /* not if the model is none of Qt's */
  std::weak_ptr<CarryItemData> item = {}; /* as long as it is carried */
  /* -1 for one that the model has no more. */
  int now() const { return hasIndex ? index.row() : number; }
};

/* Where a drop arrives. */
struct Arrival {
  int row;
  QRectF line;
};

} // namespace

struct CarryQuickView::Private : CarrySourceRole, CarryTargetRole {
  Private(CarryQuickView *q, QQuickItem *view) : q(q), view(view), place(carryPlaceOf(view)) {}

  /* ------------------------------------------------------------------------------------------------------ Rows --- */

  int count() const { return view->property("count").toInt(); }

  int indexAt(QPointF point) const {
    int index = -1;
    const qreal x = point.x() + view->property("contentX").toReal(), y = point.y() + view->property("contentY").toReal();
    QMetaObject::invokeMethod(view, "indexAt", Q_RETURN_ARG(int, index), Q_ARG(qreal, x), Q_ARG(qreal, y));
    return index;
  }

  QRectF rect(int index) const {
    QQuickItem *item = nullptr;
    QMetaObject::invokeMethod(view, "itemAtIndex", Q_RETURN_ARG(QQuickItem *, item), Q_ARG(int, index));
    return item ? item->mapRectToItem(view, item->boundingRect()) : QRectF();
  }

  /* Before the row at a point, or after it; at the end where there is none. */
  Arrival arrival(QPointF point) const {
    const bool isGrid = view->inherits("QQuickGridView");
    const bool isAcross = isGrid ? view->property("flow").toInt() == 0 : view->property("orientation").toInt() == 1;
    const qreal spacing = isGrid ? 0 : view->property("spacing").toReal();
    /* There may be none at the point, but one before it: in the space after a row, or after the last cell of a line. */
    const qreal step = isGrid ? view->property(isAcross ? "cellWidth" : "cellHeight").toReal() / 2 : spacing;
    const qreal most = isGrid ? (isAcross ? point.x() : point.y()) : spacing;
    int index = indexAt(point);
    for (qreal back = step; index < 0 && back > 0 && back <= most; back += step)
      index = indexAt(point - (isAcross ? QPointF(back, 0) : QPointF(0, back)));
    const QRectF row = rect(index < 0 ? count() - 1 : index);
    const bool isBefore = index >= 0 && (isAcross ? point.x() < row.center().x() : point.y() < row.center().y());
    Arrival arrival{index < 0 ? count() : index + (isBefore ? 0 : 1), {}};
    if (row.isEmpty()) return arrival;
    const qreal gap = spacing / 2 * (isBefore ? -1 : 1);
    if (isAcross) arrival.line = QRectF((isBefore ? row.left() : row.right()) + gap - 1.5, row.top(), 3, row.height());
    else arrival.line = QRectF(row.left(), (isBefore ? row.top() : row.bottom()) + gap - 1.5, row.width(), 3);
    return arrival;
  }

  /* ---------------------------------------------------------------------------------------------------- Source --- */

  bool mayLift(QPointF point) override { return function.isCallable() && indexAt(point) >= 0; }

  QList<CarryItem> items(QPointF point, bool isAdding) override {
    const int index = indexAt(point);
    const auto isOver = [](const Row &row) { return row.item.expired(); };
    carried.erase(std::remove_if(carried.begin(), carried.end(), isOver), carried.end());
    const auto isCarried = [index](const Row &row) { return row.now() == index; };
    if (isAdding && std::any_of(carried.cbegin(), carried.cend(), isCarried)) return {};
    const QJSValue result = function.call({index});
    if (result.isError()) qmlWarning(view) << result.toString();
    if (!result.isObject() || result.isError()) return {};
    const int length = result.isArray() ? result.property("length").toInt() : 1;
    const auto *model = qobject_cast<QAbstractItemModel *>(view->property("model").value<QObject *>());
    Row row{model ? QPersistentModelIndex(model->index(index, 0)) : QPersistentModelIndex(), index, model != nullptr};
    const QRectF whole = rect(index);
    QList<CarryItem> items;
    for (int i = 0; i < length; i++) {
      const QVariantMap one = (result.isArray() ? result.property(uint(i)) : result).toVariant().toMap();
      const QRectF part = one.contains("rect") ? one["rect"].toRectF().translated(whole.topLeft()) : whole;
      items.append(carryQuickItem(one["text"].toString(), one["url"].toUrl(), one["mimeData"].toMap())
                       .setRect((part & view->boundingRect()).toAlignedRect()));
    }
    if (items.isEmpty()) return {};
    items.last().onMoved([view = QPointer<CarryQuickView>(q), row] {
      if (view && row.now() >= 0) Q_EMIT view->removed(row.now());
    });
    row.item = CarryPlace::data(items.last());
    carried.append(row);
    return items;
  }

  bool allowsMove(bool toOthers) override { return !toOthers; }
  void started() override {}
  void finished(Qt::DropAction) override {}
  void transferred() override {}

  /* ---------------------------------------------------------------------------------------------------- Target --- */

  bool isOwn(const CarryDrop *drop) const { return drop->source() == view; }
  QObject *object() override { return q; }
  bool edgeScrolls() override { return true; }

  bool accepts(CarryDrop *drop) override {
    if (isOwn(drop)) return q->isSignalConnected(QMetaMethod::fromSignal(&CarryQuickView::moved));
    return q->isSignalConnected(QMetaMethod::fromSignal(&CarryQuickView::dropped)) &&
           CarryQuickDrop::of(drop)->isOneOf(q->accepts);
  }

  void entered(CarryDrop *drop, QPointF point) override { moved(drop, point); }

  void moved(CarryDrop *drop, QPointF point) override {
    const Arrival at = arrival(point);
    if (!line) line = new Line(view);
    line->point(at.line);
    if (isOwn(drop)) drop->setDropAction(Qt::MoveAction);
    else Q_EMIT q->positionChanged(CarryQuickDrop::of(drop), at.row);
  }

  void exited(CarryDrop *) override {
    if (line) line->point(QRectF());
  }

  void dropped(CarryDrop *drop, QPointF point) override {
    int to = arrival(point).row;
    exited(drop);
    if (!isOwn(drop)) return Q_EMIT q->dropped(CarryQuickDrop::of(drop), to);
    /* They stay in their order. */
    std::vector<int> rows;
    for (int i = 0; i < drop->count(); i++) {
      const auto item = CarryDropSession::of(drop).local(i);
      for (const Row &row : carried)
        if (item && row.item.lock() == item && row.now() >= 0) rows.push_back(row.now());
    }
    std::sort(rows.begin(), rows.end());
    int before = 0;
    for (const int row : rows) {
      if (row < to) Q_EMIT q->moved(row - before++, to - 1);
      else Q_EMIT q->moved(row, to++);
    }
  }

  CarryQuickView *q;
  QQuickItem *view;
  std::shared_ptr<CarryPlace> place;
  QJSValue function; /* of a row: what it lifts */
  QList<Row> carried; /* by all drags out of the view */
  QPointer<Line> line;
};

CarryQuickView::CarryQuickView(QQuickItem *view) : QObject(view), d(new Private(this, view)) {
  d->place->setSource(d.get());
  d->place->setTarget(d.get());
}

CarryQuickView::~CarryQuickView() {
  d->place->setSource(nullptr);
  d->place->setTarget(nullptr);
}

CarryQuickView *CarryQuickView::qmlAttachedProperties(QObject *object) {
  auto *view = qobject_cast<QQuickItem *>(object);
  if (view && (view->inherits("QQuickListView") || view->inherits("QQuickGridView"))) return new CarryQuickView(view);
  qmlWarning(object) << "ItemView attaches to a ListView or a GridView";
  return nullptr;
}

QJSValue CarryQuickView::items() const { return d->function; }

void CarryQuickView::setItems(const QJSValue &items) {
  d->function = items;
  Q_EMIT itemsChanged();
}
