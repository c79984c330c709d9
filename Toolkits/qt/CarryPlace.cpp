/* The connection, and the regions: one for each visible widget with a role, kept in step once a turn. */
#include "CarryQtPrivate.h"
#include <QGuiApplication>
#include <algorithm>
#include <cmath>

/* --------------------------------------------------------------------------------------------- The connection --- */

CarryConnection *CarryConnection::get() {
  static QPointer<CarryConnection> connection;
  if (!connection && qApp && QGuiApplication::platformName() == QLatin1String("xcb")) {
    const QByteArray name = QCoreApplication::applicationName().toUtf8();
    /* It waits for an engine, and outlives it. */
    carry_client *client = carry_client_create_awaiting(name.isEmpty() ? nullptr : name.constData(), nullptr);
    if (client) connection = new CarryConnection(client);
    else qWarning("Carry: %s", carry_last_error());
  }
  return connection;
}

CarryConnection::CarryConnection(carry_client *client)
    : QObject(qApp), client(client), notifier(carry_client_fd(client), QSocketNotifier::Read) {
  connect(&notifier, &QSocketNotifier::activated, this, &CarryConnection::dispatch);
  connect(&turn, &QTimer::timeout, this, &CarryConnection::endTurn);
  turn.setSingleShot(true);
  QTimer::singleShot(0, this, &CarryConnection::dispatch);
}

CarryConnection::~CarryConnection() {
  notifier.setEnabled(false);
  carry_client_destroy(client);
}

void CarryConnection::dispatch() {
  if (carry_client_is_dispatching(client) == 1) return;
  /* A loop within a callback, such as a dialog's, would spin on the descriptor. */
  notifier.setEnabled(false);
  if (carry_client_dispatch(client) == CARRY_OK && carry_client_flush(client) == CARRY_OK) notifier.setEnabled(true);
  else qWarning("Carry: %s", carry_last_error());
}

void CarryConnection::later(CarryWatcher *watcher) {
  if (watcher) dirty.append(watcher);
  if (!turn.isActive()) turn.start(0);
}

void CarryConnection::endTurn() {
  const auto watchers = std::exchange(dirty, {});
  for (const auto &watcher : watchers)
    if (watcher) watcher->update();
  carry_client_flush(client);
}

void CarryWatcher::add(CarryPlace *place) {
  places.push_back(place);
  look();
}

void CarryWatcher::remove(CarryPlace *place) {
  places.erase(std::remove(places.begin(), places.end(), place), places.end());
}

void CarryWatcher::look() {
  CarryConnection *connection = CarryConnection::get();
  if (isDirty || !connection) return;
  isDirty = true;
  connection->later(this);
}

void CarryWatcher::update() {
  isDirty = false;
  for (CarryPlace *place : places) place->update();
}

/* -------------------------------------------------------------------------------------------------- The places --- */

CarryPlace::~CarryPlace() { destroyRegion(); }

bool CarryPlace::has(Role role) const {
  return role == Drag ? source != nullptr : role == Drop ? target != nullptr : spring != nullptr;
}

void CarryPlace::setEnabled(uint32_t interaction, bool isEnabled) {
  if (region) carry_region_set_enabled(region, interaction, isEnabled);
  if (CarryConnection *connection = CarryConnection::get()) connection->later(nullptr);
  if (!source && !target && !spring) close();
}

/* Without a role the callbacks stay: a drag that runs ends by them. */
void CarryPlace::setSource(CarrySourceRole *role) {
  source = role;
  if (role && region) attachSource();
  setEnabled(CARRY_INTERACTION_DRAG, role);
}

void CarryPlace::setTarget(CarryTargetRole *role) {
  target = role;
  if (role && region) attachTarget();
  setEnabled(CARRY_INTERACTION_DROP, role);
}

void CarryPlace::setSpring(CarrySpringRole *role) {
  spring = role;
  if (role && region) attachSpring();
  setEnabled(CARRY_INTERACTION_SPRING, role);
}

void CarryPlace::destroyRegion() {
  while (!drops.isEmpty()) CarryDropSession::end(drops.first());
  carry_region_destroy(region);
  region = nullptr;
  rect = QRect();
}

void CarryPlace::close() { destroyRegion(); }

/* The rest of a touch that has lifted: Qt has it as well, as a mouse. */
class Swallower : public QObject {
public:
  Swallower() : QObject(qApp) { qApp->installEventFilter(this); }

private:
  bool eventFilter(QObject *, QEvent *event) override {
    switch (event->type()) {
      case QEvent::MouseButtonRelease:
      case QEvent::TouchEnd:
      case QEvent::TouchCancel: deleteLater(); return true;
      case QEvent::MouseMove:
      case QEvent::TouchUpdate: return true;
      default: return false;
    }
  }
};

static void touchCancelled(void *, uint32_t) { new Swallower; }

void CarryPlace::update() {
  QWindow *window = this->window();
  /* An empty rectangle would be one pixel at a fractional scale. */
  const QRectF bounds = window ? visible() : QRectF();
  if (bounds.isEmpty()) {
    if (region && !rect.isEmpty()) carry_region_set_rectangle(region, 0, 0, 0, 0);
    rect = QRect();
    return;
  }
  CarryConnection *connection = CarryConnection::get();
  if (!connection) return;
  const qreal scale = this->scale();
  const QRect now = QRectF(bounds.topLeft() * scale, bounds.size() * scale).toAlignedRect();
  if (region && window->winId() != xid) destroyRegion();
  if (!region) {
    xid = window->winId();
    region = carry_region_create(connection->client, uint32_t(xid), now.x(), now.y(), now.width(), now.height());
    /* At most 240 bytes. */
    carry_region_set_label(region, label().left(80).toUtf8().constData());
    if (isPopup()) carry_region_set_touch_cancelled(region, touchCancelled, this);
    if (source) setSource(source);
    if (target) setTarget(target);
    if (spring) setSpring(spring);
  } else if (now != rect) {
    carry_region_set_rectangle(region, now.x(), now.y(), now.width(), now.height());
  }
  rect = now;
}

std::shared_ptr<CarryPlace> CarryPlace::route(Role role, QPointF &point, const Accepts &accepts) {
  if (!window()) return nullptr;
  point = (point + rect.topLeft()) / scale();
  return pick(role, point, accepts);
}

QRect CarryPlace::pixels(const QRectF &part) {
  const QPointF corner = toWindow(part.topLeft()) * scale();
  return QRectF(corner, part.size() * scale()).toAlignedRect().intersected(rect).translated(-rect.topLeft());
}

double carryEdgeSpeed(double at, double length) {
  const double zone = std::min(40.0, length / 3);
  if (at < zone) return -std::min(1.0, (zone - at) / zone);
  return at > length - zone ? std::min(1.0, (at - length + zone) / zone) : 0;
}
