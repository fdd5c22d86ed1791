package io.sluice.billing;

import io.sluice.billing.core.BillingScope;
import io.sluice.billing.core.FullListCheck;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.outbox.Outbox;
import io.sluice.billing.outbox.OutboxLog;
import io.sluice.billing.outbox.OutboxSettings;
import io.sluice.billing.outbox.WriteResult;
import io.sluice.billing.outbox.delivery.Delivery;
import io.sluice.billing.outbox.delivery.DeliveryContext;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.QueueId;
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

/**
 * Receives observations of VMs, meters their use and writes bills to the outbox. It makes the next commit after the
 * previous one is durable.
 */
public final class BillingVerticle extends VerticleBase {
    private static final String PART = MeteringFactory.ROLE;
    private static final Duration STOP_MAX = Duration.ofSeconds(5);

    /** {@code cluster.vms-watched} is published at the same interval. */
    private static final long NOTICE_EVERY_MS = 1000;

    private final BillingConfig config;
    private final Shell shell;
    private final MeteringFactory meterings;
    private final VmUseReader uses;
    private final UsageEvents events;
    private final Optional<String> node;
    private final FullListCheck check = new FullListCheck();
    private final BillingLog log = new BillingLog();
    private final MachineClock machine = new MachineClock();
    private final List<Destination> destinations;
    private BillingMetrics meters;
    private OutboxLog outboxLog;
    private Bus bus;
    private BillingClock clock;
    private Delivery delivery;
    private OutboxWriter writer;
    private OutboxWriter life;
    private ScalingEventPublisher scaling;
    private Metering metering;
    private Auditor auditor;
    private Optional<UsageCommit> unoffered = Optional.empty();
    private List<byte[]> gapLines = new ArrayList<>();
    private boolean stopped;

    /** Creates a verticle that bills VMs of all nodes, and shares them with all processes that have the role. */
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

    /** Creates a verticle that bills the VMs of one node. */
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

    /** Releases everything, so that the next start in this process finds it free. */
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
        var queues = destinations.stream().map(Destination::queue).toList();
        var terms = new OutboxSettings(queues, shell.clock(), shell.random());
        return OpenedOutbox.read(Outbox.open(Path.of(config.directory()), terms, outboxLog));
    }

    private Future<?> begin(OpenedOutbox kept) {
        delivery = new Delivery(
                vertx,
                kept.outbox(),
                destinations.stream().map(Destination::route).toList(),
                new DeliveryContext(shell.clock(), shell.clock(), shell.random(), shell.meters()));
        clock = new BillingClock(
                shell.clock(), machine.read(shell.clock()), kept.checkpoint().clock());
        log.clock(clock.ahead());
        if (Destination.queues(destinations, EventKind.BILLING).isEmpty()) {
            log.unpublished();
        }
        metering = meterings.of(config, kept.checkpoint(), clock, machine);
        writer = new OutboxWriter(delivery::offer, OpenedOutbox.METERS, kept.lastMeters());
        life = new OutboxWriter(delivery::offer, OpenedOutbox.LIFE, kept.lastLife());
        scaling = new ScalingEventPublisher(
                new OutboxWriter(delivery::offer, OpenedOutbox.SCALING, kept.lastScaling()),
                Destination.queues(destinations, EventKind.SCALING_EVENTS),
                config.scalingEvents().regionName());
        auditor = new Auditor(bus, clock, node, auditEvery(), config.accumulateEvery());
        shell.dumps().offer(PART, new BillingDump(context, clock, metering, kept.outbox(), destinations));
        delivery.start();
        audit();
        return subscribe().onSuccess(received -> {
            shell.readiness().waitFor(PART, "a full list of VMs");
            requestFullList();
            vertx.setPeriodic(NOTICE_EVERY_MS, timer -> notice());
            tickLater();
        });
    }

    /** Without a queue for account lines no snapshots are requested. */
    private Duration auditEvery() {
        return Destination.queues(destinations, EventKind.ACCOUNT).isEmpty() ? Duration.ZERO : config.auditEvery();
    }

    /** Sends one request at a time, however long a reply takes. */
    private void audit() {
        if (!auditEvery().isZero() && !stopped) {
            auditor.look().onComplete(looked -> vertx.setTimer(auditEvery().toMillis(), timer -> audit()));
        }
    }

    private void requestFullList() {
        if (check.requests(clock.instant())) {
            bus.publish(ClusterAddresses.RELIST_WANTED, new RelistRequest(PART));
        }
    }

    private Future<?> subscribe() {
        return Future.all(
                bus.subscribe(ClusterAddresses.VM_OBSERVED, this::observed),
                bus.subscribe(ClusterAddresses.VM_GONE, this::gone),
                bus.subscribe(ClusterAddresses.LISTED, this::listed),
                bus.subscribe(ClusterAddresses.VMS_WATCHED, this::watched),
                scaling.subscribe(bus));
    }

    private void observed(VmObserved vm) {
        var use = uses.of(vm);
        check.named(vm.vm());
        metering.observed(use, clock.instant());
        meters.observed(vm, use.use().isPresent());
    }

    private void gone(VmGone vm) {
        check.struck(vm.vm());
        metering.gone(vm.vm(), clock.instant());
        meters.gone(vm.vm());
    }

    private void listed(FullListPublished fullList) {
        if (check.received(fullList.vms())) {
            metering.listed(clock.instant()).forEach(meters::gone);
            shell.readiness().ready(PART);
        }
        requestFullList();
    }

    private void watched(VmsWatched watched) {
        metering.watched(clock.instant());
        missed(metering.census().missing());
        requestFullList();
    }

    /** Advances the time, also when nothing is received. */
    private void notice() {
        if (!stopped) {
            metering.tick(clock.instant());
            missed(metering.census().missing());
        }
    }

    private void missed(String now) {
        if (metering.takeRelistWanted()) {
            check.missed();
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
            // The commit that was not written is kept, and the next tick tries again. A defect must not end billing.
            log.broken(broken);
            hold(true, "bills cannot be made: " + broken);
        } finally {
            tickLater();
        }
    }

    /** Repeats an unfinished write unchanged; a new commit waits for it. */
    private void offer(Instant now) {
        if (writer.isWaiting()) {
            return;
        }
        (writer.isFree() ? offerNew(now) : writer.again())
                .onSuccess(this::answered)
                .onFailure(failed -> hold(true, "the outbox failed: " + failed.getMessage()));
    }

    private Future<WriteResult> offerNew(Instant now) {
        var commit = unoffered.orElseGet(() -> metering.commit(now));
        unoffered = Optional.of(commit);
        var offered = eventsOf(commit.charges(), now);
        account(commit);
        var lines = new ArrayList<>(gapLines);
        gapLines = new ArrayList<>();
        lines.addAll(stopped ? auditor.last() : auditor.lines(now));
        if (!lines.isEmpty()) {
            Destination.queues(destinations, EventKind.ACCOUNT).forEach(queue -> offered.put(queue, lines));
        }
        unoffered = Optional.empty();
        return writer.offer(offered, commit.checkpoints());
    }

    private void account(UsageCommit commit) {
        meters.charged(commit.charges().size());
        auditor.billed(commit.charges());
        commit.gaps().forEach(gap -> {
            meters.missed(gap);
            gapLines.add(AccountLineJson.unbilled(gap));
        });
        log.missed(commit.gaps());
    }

    private Map<QueueId, List<byte[]>> eventsOf(List<UsageRecord> charges, Instant now) {
        var offered = new HashMap<QueueId, List<byte[]>>();
        if (!charges.isEmpty()) {
            var lines =
                    events.of(charges, now).stream().map(UsageEventJson::write).toList();
            Destination.queues(destinations, EventKind.BILLING).forEach(queue -> offered.put(queue, lines));
        }
        return offered;
    }

    private void answered(WriteResult acceptance) {
        switch (acceptance) {
            case WriteResult.Full full -> {
                hold(true, full.queues().getFirst().reason());
                recordThatItLives();
            }
            case WriteResult.Taken taken -> {
                hold(false, "");
                offerTheRest();
            }
        }
    }

    /**
     * Records that this process lives, for the process after it. If that fails, the write that waits reports the cause.
     */
    private void recordThatItLives() {
        if (life.isFree()) {
            var sign = metering.signOfLife(clock.instant());
            if (!sign.isEmpty()) {
                life.offer(Map.of(), sign);
            }
        } else if (!life.isWaiting()) {
            life.again();
        }
    }

    /** Several windows may be over at once. Each is a write of its own, and the next one follows at once. */
    private void offerTheRest() {
        if (!stopped && writer.isFree() && metering.hasMore()) {
            offer(clock.instant());
        }
    }

    private void hold(boolean holds, String reason) {
        metering.hold(holds);
        meters.blocked(holds);
        log.blocked(holds, reason);
    }

    /** Bills the open part of the window and sends what it can; the rest is durable in the outbox. */
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
        return writer.quiet()
                .compose(quiet -> lastOffer())
                .eventually(scaling::last)
                .eventually(() -> delivery.stop(STOP_MAX));
    }

    private void closeMeters() {
        meters.close();
        outboxLog.close();
    }

    private Future<?> lastOffer() {
        var first = writer.isFree() ? Future.<WriteResult>succeededFuture() : writer.again();
        return first.compose(answered -> {
            metering.flush(clock.instant());
            return auditor.look().compose(looked -> lastOffers());
        });
    }

    private Future<?> lastOffers() {
        return writer.isFree()
                ? offerNew(clock.instant())
                        .compose(answered -> metering.hasMore() ? lastOffers() : Future.succeededFuture())
                : Future.succeededFuture();
    }
}
