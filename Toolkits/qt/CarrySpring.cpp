/* Springs: widgets that a hovering drag activates. */
#include "CarryQtPrivate.h"
#include <QAbstractButton>
#include <QCoreApplication>
#include <QTabBar>
#include <QTabWidget>

/* A region springs once until the drag has left it, and so does one that has refused: a drag that moves on to another
   tab or row in it has to find a spring anew. */
static void rearm(CarryPlace *place) {
  const auto enable = [place = place->weak_from_this()](bool isEnabled) {
    const auto armed = place.lock();
    if (armed && armed->spring) armed->setEnabled(CARRY_INTERACTION_SPRING, isEnabled);
  };
  /* Not within a callback. In between the engine sees the drag over no spring. */
  QTimer::singleShot(0, qApp, [enable] { enable(false); });
  QTimer::singleShot(50, qApp, [enable] { enable(true); });
}

/* Hovering may begin anywhere in the region. The place is meant if Qt then finds its widget there, or something in
   it. */
static int32_t shouldAllow(void *data, int32_t state, double x, double y) {
  auto *place = static_cast<CarryPlace *>(data);
  if (state == CARRY_SPRING_POSSIBLE) return 1;
  QPointF point(x, y);
  if (place->route(CarryPlace::Spring, point).get() == place && place->spring->maySpring(point)) return 1;
  rearm(place);
  return 0;
}

static void stateChanged(void *data, int32_t state, double, double) {
  auto *place = static_cast<CarryPlace *>(data);
  if (place->spring) place->spring->activating(state == CARRY_SPRING_ACTIVATING);
}

static void activated(void *data, double x, double y) {
  auto *place = static_cast<CarryPlace *>(data);
  QPointF point(x, y);
  if (place->route(CarryPlace::Spring, point).get() != place) return;
  if (place->spring->hasParts()) rearm(place);
  place->spring->activated(point);
}

void CarryPlace::attachSpring() {
  carry_spring_callbacks callbacks = CARRY_SPRING_CALLBACKS_INIT;
  callbacks.user_data = this;
  callbacks.should_allow = shouldAllow;
  callbacks.state_changed = stateChanged;
  callbacks.activated = ::activated;
  carry_region_set_spring(region, &callbacks);
}

struct CarrySpring::Private : CarrySpringRole {
  Private(CarrySpring *q, QWidget *widget) : q(q), widget(widget), place(carryPlaceOf(widget)) {}

  bool hasParts() override { return q->maySpring || qobject_cast<QTabBar *>(widget); }

  bool maySpring(QPointF point) override {
    if (q->maySpring) return q->maySpring(point);
    const auto *bar = qobject_cast<QTabBar *>(widget);
    if (!bar || q->action) return true;
    const int tab = bar->tabAt(point.toPoint());
    return tab >= 0 && tab != bar->currentIndex();
  }

  void activating(bool isActivating) override {
    if (std::exchange(isActive, isActivating) != isActivating) Q_EMIT q->activating(isActivating);
  }

  void activated(QPointF point) override {
    /* What happens may destroy the spring. */
    const QPointer<CarrySpring> spring = q;
    if (const auto action = q->action) action(point);
    else if (auto *button = qobject_cast<QAbstractButton *>(widget)) button->click();
    else if (auto *bar = qobject_cast<QTabBar *>(widget)) bar->setCurrentIndex(bar->tabAt(point.toPoint()));
    if (spring) Q_EMIT spring->activated(point);
  }

  CarrySpring *q;
  QWidget *widget;
  std::shared_ptr<CarryPlace> place;
  bool isActive = false;
};

static QWidget *sprung(QWidget *widget) {
  const auto *tabs = qobject_cast<QTabWidget *>(widget);
  return tabs ? tabs->tabBar() : widget;
}

CarrySpring::CarrySpring(QWidget *widget) : QObject(sprung(widget)), d(new Private(this, sprung(widget))) {
  d->place->setSpring(d.get());
}

CarrySpring::~CarrySpring() {
  if (d->place->spring == d.get()) d->place->setSpring(nullptr);
}
