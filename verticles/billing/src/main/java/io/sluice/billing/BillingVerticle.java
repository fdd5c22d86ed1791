package io.sluice.billing;

import io.sluice.billing.core.BillingScope;
import io.sluice.billing.core.FullListCheck;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.outbox.Delivery;
import io.sluice.billing.outbox.DeliveryContext;
import io.sluice.billing.outbox.EventKind;
import io.sluice.billing.outbox.Outbox;
import io.sluice.billing.outbox.OutboxLog;
import io.sluice.billing.outbox.OutboxSettings;
import io.sluice.billing.outbox.QueueId;
import io.sluice.billing.outbox.WriteResult;
import io.sluice.billing.wire.AccountLineJson;
import io.sluice.billing.wire.UsageEventJson;
import io.sluice.billing.wire.UsageEvents;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmsWatched;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Hears what VMs use, and has it billed: whatever is billed is durable before the next is made. */
public final class BillingVerticle extends VerticleBase {
    private static final String PART = MeteringFactory.ROLE;
    private static final Duration STOP_MAX = Duration.ofSeconds(5);

    /** As often as it is said that changes are heard of. */
    private static final long NOTICE_EVERY_MS = 1000;

    private final BillingConfig config;
    private final Shell shell;
    private final MeteringFactory meterings;
    private final VmUseReader uses;
    private final UsageEvents events;
    private final Optional<String> node;
    private final FullListCheck listings = new FullListCheck();
    private final BillingLog log = new BillingLog();
    private final MachineClock machine = new MachineClock();
    private final List<Destination> destinations;
    private BillingMetrics meters;
    private OutboxLog outboxLog;
    private Bus bus;
    private BillingClock clock;
    private Delivery delivery;
    private OutboxWriter desk;
    private OutboxWriter life;
    private ScalingEventPublisher scaling;
    private Metering metering;
    private Auditor auditor;
    private Optional<UsageCommit> unoffered = Optional.empty();
    private List<byte[]> gapLines = new ArrayList<>();
    private boolean stopped;

    /** For VMs of the whole cluster, shared with all who have the role. */
    public BillingVerticle(BillingConfig config, Shell shell) {
        this(config, shell, Optional.empty());
    }

    private BillingVerticle(BillingConfig config, Shell shell, Optional<String> node) {
        this.config = config;
        this.shell = shell;
        this.node = node;
        this.meterings = new MeteringFactory(shell.peers(), node);
        this.uses = new VmUseReader(new BillingScope(node));
        this.events = config.events();
        this.destinations = Destinations.of(config, log::deleted);
    }

    /** For the VMs of one node. */
    public static BillingVerticle ofNode(String node, BillingConfig config, Shell shell) {
        return new BillingVerticle(config, shell, Optional.of(node));
    }

    @Override
    public Future<?> start() {
        shell.readiness().waitFor(PART, "its outbox in " + config.directory());
        meters = new BillingMetrics(shell.meters());
        outboxLog = new OutboxLog(shell.meters(), shell.clock());
        bus = new Bus(vertx);
        return vertx.executeBlocking(this::open)
                .compose(this::begin)
                .transform(begun -> begun.succeeded() ? Future.succeededFuture() : giveUp(begun.cause()));
    }

    /** Whoever starts after it in this process finds everything free. */
    private Future<Void> giveUp(Throwable failed) {
        stopped = true;
        var closing = delivery == null ? closeSinks() : delivery.stop(STOP_MAX);
        return closing.transform(closed -> {
            withdraw();
            closeMeters();
            return Future.failedFuture(failed);
        });
    }

    private Future<Void> closeSinks() {
        return vertx.executeBlocking(() -> {
            destinations.forEach(destination -> destination.sink().close());
            return null;
        });
    }

    private OpenedOutbox open() throws Exception {
        var lanes = destinations.stream().map(Destination::lane).toList();
        var terms = new OutboxSettings(lanes, shell.clock(), shell.random());
        return OpenedOutbox.read(Outbox.open(Path.of(config.directory()), terms, outboxLog));
    }

    private Future<?> begin(OpenedOutbox kept) {
        delivery = new Delivery(
                vertx,
                kept.outbox(),
                destinations.stream().map(Destination::route).toList(),
                new DeliveryContext(shell.clock(), shell.clock(), shell.random(), shell.meters()));
        clock = new BillingClock(
                shell.clock(), machine.read(shell.clock()), kept.notes().clock());
        log.clock(clock.ahead());
        if (Destination.lanes(destinations, EventKind.BILLING).isEmpty()) {
            log.nobodyIsTold();
        }
        metering = meterings.of(config, kept.notes(), clock, machine);
        desk = new OutboxWriter(delivery::offer, OpenedOutbox.METERS, kept.lastMeters());
        life = new OutboxWriter(delivery::offer, OpenedOutbox.LIFE, kept.lastLife());
        scaling = new ScalingEventPublisher(
                new OutboxWriter(delivery::offer, OpenedOutbox.SCALING, kept.lastScaling()),
                Destination.lanes(destinations, EventKind.SCALING_EVENTS),
                config.scalingEvents().regionName());
        auditor = new Auditor(bus, clock, node, auditEvery(), config.accumulateEvery());
        shell.dumps().offer(PART, new BillingDump(context, clock, metering, kept.outbox(), destinations));
        delivery.start();
        audit();
        return hear().onSuccess(heard -> {
            shell.readiness().waitFor(PART, "a full listing of VMs");
            askForListing();
            vertx.setPeriodic(NOTICE_EVERY_MS, timer -> notice());
            tickLater();
        });
    }

    /** Where nobody is told what was held, nobody is asked. */
    private Duration auditEvery() {
        return Destination.lanes(destinations, EventKind.ACCOUNT).isEmpty() ? Duration.ZERO : config.auditEvery();
    }

    /** One question at a time, however long the answers take. */
    private void audit() {
        if (!auditEvery().isZero() && !stopped) {
            auditor.look().onComplete(looked -> vertx.setTimer(auditEvery().toMillis(), timer -> audit()));
        }
    }

    private void askForListing() {
        if (listings.asks(clock.instant())) {
            bus.publish(ClusterAddresses.RESYNC_WANTED, new RelistRequest(PART));
        }
    }

    private Future<?> hear() {
        return Future.all(
                bus.subscribe(ClusterAddresses.VM_SEEN, this::seen),
                bus.subscribe(ClusterAddresses.VM_GONE, this::gone),
                bus.subscribe(ClusterAddresses.LISTED, this::listed),
                bus.subscribe(ClusterAddresses.VMS_WATCHED, this::watched),
                scaling.hear(bus));
    }

    private void seen(VmObserved vm) {
        var use = uses.of(vm);
        listings.named(vm.vm());
        metering.seen(use, clock.instant());
        meters.seen(vm, use.use().isPresent());
    }

    private void gone(VmGone vm) {
        listings.struck(vm.vm());
        metering.gone(vm.vm(), clock.instant());
        meters.gone(vm.vm());
    }

    private void listed(FullListPublished listing) {
        if (listings.heard(listing.vms())) {
            metering.listed(clock.instant()).forEach(meters::gone);
            shell.readiness().ready(PART);
        }
        askForListing();
    }

    private void watched(VmsWatched watched) {
        metering.watched(clock.instant());
        missed(metering.census().missing());
        askForListing();
    }

    /** Time goes by, and perhaps nothing is heard. */
    private void notice() {
        if (!stopped) {
            metering.tick(clock.instant());
            missed(metering.census().missing());
        }
    }

    private void missed(String now) {
        if (metering.takeWantsListing()) {
            listings.missed();
        }
        log.missing(now);
    }

    private void tickLater() {
        var now = clock.instant();
        long waitMs = Math.max(1, Duration.between(now, metering.nextTick(now)).toMillis());
        vertx.setTimer(waitMs, timer -> tick());
    }

    private void tick() {
        if (stopped) {
            return;
        }
        try {
            notice();
            var census = metering.census();
            meters.looked(census);
            log.givenUp(census.givenUp());
            offer(clock.instant());
            scaling.offer();
        } catch (RuntimeException broken) {
            // What was to be offered is kept, and the next look comes: bills must not end in silence.
            log.broken(broken);
            hold(true, "bills cannot be made: " + broken);
        } finally {
            tickLater();
        }
    }

    /** What was not taken last comes first, as it is; what is new waits for it. */
    private void offer(Instant now) {
        if (desk.isWaiting()) {
            return;
        }
        (desk.isFree() ? offerNew(now) : desk.again())
                .onSuccess(this::answered)
                .onFailure(failed -> hold(true, "the outbox failed: " + failed.getMessage()));
    }

    private Future<WriteResult> offerNew(Instant now) {
        var harvest = unoffered.orElseGet(() -> metering.harvest(now));
        unoffered = Optional.of(harvest);
        var offered = eventsOf(harvest.charges(), now);
        account(harvest);
        var lines = new ArrayList<>(gapLines);
        gapLines = new ArrayList<>();
        lines.addAll(stopped ? auditor.last() : auditor.lines(now));
        if (!lines.isEmpty()) {
            Destination.lanes(destinations, EventKind.ACCOUNT).forEach(lane -> offered.put(lane, lines));
        }
        unoffered = Optional.empty();
        return desk.offer(offered, harvest.notes());
    }

    private void account(UsageCommit harvest) {
        meters.charged(harvest.charges().size());
        auditor.billed(harvest.charges());
        harvest.gaps().forEach(gap -> {
            meters.missed(gap);
            gapLines.add(AccountLineJson.unbilled(gap));
        });
        log.missed(harvest.gaps());
    }

    private Map<QueueId, List<byte[]>> eventsOf(List<UsageRecord> charges, Instant now) {
        var offered = new HashMap<QueueId, List<byte[]>>();
        if (!charges.isEmpty()) {
            var lines =
                    events.of(charges, now).stream().map(UsageEventJson::write).toList();
            Destination.lanes(destinations, EventKind.BILLING).forEach(lane -> offered.put(lane, lines));
        }
        return offered;
    }

    private void answered(WriteResult acceptance) {
        switch (acceptance) {
            case WriteResult.Full full -> {
                hold(true, full.lanes().getFirst().reason());
                tellThatItLives();
            }
            case WriteResult.Taken taken -> {
                hold(false, "");
                offerTheRest();
            }
        }
    }

    /** For whoever goes on after it. Should that fail, the offer that waits says why, too. */
    private void tellThatItLives() {
        if (life.isFree()) {
            var sign = metering.signOfLife(clock.instant());
            if (!sign.isEmpty()) {
                life.offer(Map.of(), sign);
            }
        } else if (!life.isWaiting()) {
            life.again();
        }
    }

    /** Where several windows are over at once, each is an offer: one need not wait for more than the one before. */
    private void offerTheRest() {
        if (!stopped && desk.isFree() && metering.hasMore()) {
            offer(clock.instant());
        }
    }

    private void hold(boolean holds, String reason) {
        metering.hold(holds);
        meters.blocked(holds);
        log.blocked(holds, reason);
    }

    /** What there is of the window is billed, and what can be is sent; the rest is durable. */
    @Override
    public Future<?> stop() {
        stopped = true;
        withdraw();
        return (delivery == null ? Future.succeededFuture() : end()).onComplete(ended -> closeMeters());
    }

    private void withdraw() {
        shell.readiness().ready(PART);
        shell.dumps().withdraw(PART);
    }

    private Future<?> end() {
        return desk.quiet()
                .compose(quiet -> lastOffer())
                .eventually(scaling::last)
                .eventually(() -> delivery.stop(STOP_MAX));
    }

    private void closeMeters() {
        meters.close();
        outboxLog.close();
    }

    private Future<?> lastOffer() {
        var first = desk.isFree() ? Future.<WriteResult>succeededFuture() : desk.again();
        return first.compose(answered -> {
            metering.flush(clock.instant());
            return auditor.look().compose(looked -> lastOffers());
        });
    }

    private Future<?> lastOffers() {
        return desk.isFree()
                ? offerNew(clock.instant())
                        .compose(answered -> metering.hasMore() ? lastOffers() : Future.succeededFuture())
                : Future.succeededFuture();
    }
}
