/* Item views: rows lift by their model, and drops go to it. */
#include "CarryQtPrivate.h"
#include <QAbstractItemView>
#include <QListWidget>
#include <QPainter>
#include <QTableWidget>
#include <QTreeView>
#include <algorithm>
#include <map>
#include <set>

namespace {

/* Shows where a drop would arrive: a line between rows, or a frame around one. */
class Indicator : public QWidget {
public:
  explicit Indicator(QWidget *viewport) : QWidget(viewport) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
  }

  void point(const QRect &rect) {
    setVisible(!rect.isNull());
    setGeometry(rect);
    raise();
  }

private:
  void paintEvent(QPaintEvent *) override {
    QPainter painter(this);
    painter.setPen(QPen(palette().highlight(), 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
  }
};

/* Where a drop arrives, in the words of QAbstractItemModel::dropMimeData. */
struct Arrival {
  QModelIndex parent;
  int row = -1, column = -1;
  QRect indicator;
};

/* A session has room for as many items. */
const size_t most = 128;

} // namespace

struct CarryItemView::Private {
  explicit Private(QAbstractItemView *view);
  ~Private();
  QAbstractItemModel *model() const { return view->model(); }

  QModelIndex draggable(QPointF point) const {
    const QModelIndex index = view->indexAt(point.toPoint());
    return index.isValid() && model()->flags(index).testFlag(Qt::ItemIsDragEnabled) ? index : QModelIndex();
  }

  /* What belongs to a press on an index, row by row. */
  std::vector<QModelIndexList> rows(const QModelIndex &pressed, bool isAdding) const {
    if (isAdding || !view->selectionModel()->isSelected(pressed)) {
      QModelIndexList row{pressed};
      if (view->selectionBehavior() == QAbstractItemView::SelectRows) {
        row.clear();
        for (int c = 0; c < model()->columnCount(pressed.parent()); c++) row.append(pressed.siblingAtColumn(c));
      }
      return {row};
    }
    std::map<QModelIndex, QModelIndexList> byRow;
    const QModelIndexList selected = view->selectionModel()->selectedIndexes();
    for (const QModelIndex &index : selected)
      if (model()->flags(index).testFlag(Qt::ItemIsDragEnabled)) byRow[index.siblingAtColumn(0)].append(index);
    std::vector<QModelIndexList> rows;
    for (const auto &row : byRow) rows.push_back(row.second);
    if (rows.size() <= most) return rows;
    QModelIndexList all;
    for (const auto &row : rows) all += row;
    return {all};
  }

  QList<CarryItem> items(QPointF point, bool isAdding) {
    QList<CarryItem> items;
    const QModelIndex pressed = draggable(point);
    if (!pressed.isValid() || (isAdding && dragged.contains(QPersistentModelIndex(pressed)))) return items;
    if (!isAdding) dragged.clear();
    source->allowsMove = model()->supportedDragActions().testFlag(Qt::MoveAction);
    for (const QModelIndexList &row : rows(pressed, isAdding)) {
      QMimeData *data = model()->mimeData(row);
      if (!data) continue;
      QRect rect;
      QList<QPersistentModelIndex> indexes;
      for (const QModelIndex &index : row) {
        rect |= view->visualRect(index);
        indexes.append(QPersistentModelIndex(index));
      }
      dragged += indexes;
      const QPointer<QAbstractItemModel> model = this->model();
      const bool overwrites = view->dragDropOverwriteMode();
      items.append(CarryItem(data).setRect(rect).onMoved([model, indexes, overwrites] {
        for (const QPersistentModelIndex &index : indexes) {
          if (!model || !index.isValid()) continue;
          if (overwrites) model->clearItemData(index);
          else model->removeRow(index.row(), index.parent());
        }
      }));
    }
    return items;
  }

  Qt::DropAction action(const CarryDrop *drop) const {
    const Qt::DropActions supported = model()->supportedDropActions();
    const bool isOwn = drop->source() == view->viewport();
    if ((isOwn || view->defaultDropAction() == Qt::MoveAction) && drop->allowsMove() && (supported & Qt::MoveAction))
      return Qt::MoveAction;
    return supported & Qt::CopyAction ? Qt::CopyAction : Qt::IgnoreAction;
  }

  bool accepts(const CarryDrop *drop) const {
    const QStringList types = model() ? model()->mimeTypes() : QStringList();
    return std::any_of(types.begin(), types.end(), [drop](const QString &type) { return drop->hasFormat(type); });
  }

  /* Between two rows, or onto one in the middle of it. */
  Arrival arrival(QPointF at) const {
    const QPoint point = at.toPoint();
    const QModelIndex index = view->indexAt(point);
    Arrival arrival{view->rootIndex(), -1, -1, {}};
    if (!index.isValid()) return arrival;
    const auto *list = qobject_cast<QListView *>(view);
    const bool isAcross = list && list->flow() == QListView::LeftToRight;
    const QRect rect = view->visualRect(index);
    const int length = isAcross ? rect.width() : rect.height();
    const int depth = isAcross ? point.x() - rect.left() : point.y() - rect.top();
    const bool canBeOnto = model()->flags(index).testFlag(Qt::ItemIsDropEnabled);
    const int margin = !canBeOnto ? length / 2 : view->dragDropOverwriteMode() ? 0 : std::min(length / 4, 12);
    const bool isBefore = depth < margin;
    if (canBeOnto && !isBefore && depth < length - margin) {
      arrival.parent = index;
      arrival.indicator = rect;
      return arrival;
    }
    arrival.parent = index.parent();
    arrival.row = index.row() + (isBefore ? 0 : 1);
    arrival.column = list ? list->modelColumn() : 0;
    if (isAcross) arrival.indicator = QRect((isBefore ? rect.left() : rect.right()) - 1, rect.top(), 3, rect.height());
    else arrival.indicator = QRect(rect.left(), (isBefore ? rect.top() : rect.bottom()) - 1, rect.width(), 3);
    return arrival;
  }

  bool canDrop(CarryDrop *drop, const Arrival &at, Qt::DropAction action) const {
    if (action == Qt::IgnoreAction || !model()->flags(at.parent).testFlag(Qt::ItemIsDropEnabled)) return false;
    /* A branch cannot move into itself. */
    for (QModelIndex i = at.parent; i.isValid() && action == Qt::MoveAction; i = i.parent())
      if (dragged.contains(QPersistentModelIndex(i))) return false;
    const auto data = CarryDropSession::of(drop).promised();
    return model()->canDropMimeData(data.get(), action, at.row, at.column, at.parent);
  }

  void moved(CarryDrop *drop, QPointF point) {
    const Arrival at = arrival(point);
    const Qt::DropAction action = this->action(drop);
    const bool can = canDrop(drop, at, action);
    drop->setDropAction(can ? action : Qt::IgnoreAction);
    indicator->point(can && view->showDropIndicator() ? at.indicator : QRect());
  }

  void dropped(CarryDrop *drop, QPointF point) {
    const Arrival at = arrival(point);
    const Qt::DropAction action = this->action(drop);
    indicator->point(QRect());
    if (!canDrop(drop, at, action)) return;
    CarryDropSession &session = CarryDropSession::of(drop);
    session.reportsMoves = false;
    std::vector<std::shared_ptr<CarryItemData>> origins;
    for (int i = 0; i < drop->count(); i++) origins.push_back(session.local(i));
    /* The model may change until the data is there. */
    const QPointer<QAbstractItemModel> model = this->model();
    const QPersistentModelIndex parent(at.parent);
    const QPersistentModelIndex next(at.row < 0 ? QModelIndex() : model->index(at.row, 0, at.parent));
    const bool isInside = at.parent.isValid();
    /* Their models ask the view whether it is the row that is meant, to be overwritten. It has seen no drag, and says
       yes. */
    const bool isWidget = qobject_cast<QListWidget *>(view) || qobject_cast<QTableWidget *>(view);
    drop->mimeData([=](const QList<QMimeData *> &items) {
      if (!model || (isInside && !parent.isValid())) return;
      std::set<std::shared_ptr<CarryItemData>> refused;
      for (qsizetype i = 0; i < items.size(); i++) {
        const int row = at.row < 0 ? -1 : next.isValid() ? next.row() : model->rowCount(parent);
        const bool taken = isWidget && row >= 0
                               ? model->QAbstractItemModel::dropMimeData(items[i], action, row, at.column, parent)
                               : model->dropMimeData(items[i], action, row, at.column, parent);
        if (!taken) refused.insert(origins[size_t(i)]);
      }
      for (const auto &origin : origins)
        if (origin && action == Qt::MoveAction && !refused.count(origin)) origin->wasMoved();
    });
  }

  QAbstractItemView *view;
  QPointer<CarryDragSource> source;
  QPointer<CarryDropArea> area;
  QPointer<CarrySpring> spring;
  QPointer<Indicator> indicator;
  QList<QPersistentModelIndex> dragged;
};

CarryItemView::Private::Private(QAbstractItemView *view)
    : view(view), source(new CarryDragSource(view->viewport())), area(new CarryDropArea(view->viewport())),
      indicator(new Indicator(view->viewport())) {
  source->mayLift = [this](QPointF point) { return draggable(point).isValid(); };
  source->items = [this](QPointF point) { return items(point, false); };
  source->itemsForAdding = [this](QPointF point) { return items(point, true); };
  connect(source, &CarryDragSource::dragFinished, source, [this] { dragged.clear(); });

  area->acceptsDrop = [this](CarryDrop *drop) { return accepts(drop); };
  connect(area, &CarryDropArea::entered, area, [this](CarryDrop *drop, QPointF point) { moved(drop, point); });
  connect(area, &CarryDropArea::moved, area, [this](CarryDrop *drop, QPointF point) { moved(drop, point); });
  connect(area, &CarryDropArea::exited, area, [this] {
    if (indicator) indicator->point(QRect());
  });
  connect(area, &CarryDropArea::dropped, area, [this](CarryDrop *drop, QPointF point) { dropped(drop, point); });

  auto *tree = qobject_cast<QTreeView *>(view);
  if (!tree) return;
  spring = new CarrySpring(view->viewport());
  spring->maySpring = [tree](QPointF point) {
    const QModelIndex index = tree->indexAt(point.toPoint());
    return index.isValid() && tree->model()->hasChildren(index) && !tree->isExpanded(index);
  };
  spring->action = [tree](QPointF point) { tree->expand(tree->indexAt(point.toPoint())); };
}

CarryItemView::Private::~Private() {
  delete source;
  delete area;
  delete spring;
  delete indicator;
}

CarryItemView::CarryItemView(QAbstractItemView *view) : QObject(view), d(new Private(view)) {}
CarryItemView::~CarryItemView() = default;

CarryItemView *CarryItemView::attach(QAbstractItemView *view) {
  auto *attached = view->findChild<CarryItemView *>(QString(), Qt::FindDirectChildrenOnly);
  return attached ? attached : new CarryItemView(view);
}

CarryDragSource *CarryItemView::source() const { return d->source; }
CarryDropArea *CarryItemView::dropArea() const { return d->area; }
