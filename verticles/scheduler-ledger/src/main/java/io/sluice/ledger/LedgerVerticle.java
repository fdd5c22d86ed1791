package io.sluice.ledger;

import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.ledger.core.Books;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.NodeState;
import io.sluice.ledger.core.Outcome;
import io.sluice.ledger.store.LedgerStore;
import io.sluice.ledger.store.MemoryLedgerStore;
import io.sluice.messages.cluster.ResyncWanted;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.NodeBooks;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands each message to the books of its node, and says when they have changed. Holds no rule of its own.
 *
 * <p>Of its configuration it takes {@code watermark} and {@code checkInvariants} while it runs.
 */
public final class LedgerVerticle extends VerticleBase implements Reloadable<LedgerConfig> {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerVerticle.class);
    private static final String PART = "ledger";
    private static final Duration TICK = Duration.ofSeconds(1);

    private final Shell shell;
    private final LedgerStore store;
    private final LedgerMeters meters;
    private final NoticeLog notices;
    private LedgerConfig config;
    private Bus bus;
    private NodeAnnouncer announcer;
    private volatile Optional<OnContext> home = Optional.empty();

    /** Keeps the books in memory. */
    public LedgerVerticle(LedgerConfig config, Shell shell) {
        this(config, new MemoryLedgerStore(new NodeLedger(config.rules()), shell.clock()), shell);
    }

    /**
     * Keeps the books in that store.
     *
     * @param config what the store runs commands by, until it is told otherwise
     */
    public LedgerVerticle(LedgerConfig config, LedgerStore store, Shell shell) {
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
        this.store = Objects.requireNonNull(store, "store");
        meters = new LedgerMeters(shell.meters());
        notices = new NoticeLog(meters);
    }

    @Override
    public Future<?> start() {
        shell.readiness().waitFor(PART, "its addresses are not served yet");
        bus = new Bus(vertx);
        announcer = new NodeAnnouncer(vertx, books -> bus.publish(LedgerAddresses.NODE_CHANGED, books));
        vertx.setPeriodic(TICK.toMillis(), timer -> tick());
        var here = new OnContext(context);
        home = Optional.of(here);
        return Future.all(serve())
                .compose(served -> Future.all(serveMoves()))
                .compose(served -> Future.all(subscribe()))
                .onSuccess(listening -> {
                    shell.dumps().offer(PART, new LedgerDump(store, here, notices::broken));
                    shell.readiness().ready(PART);
                    bus.publish(ClusterAddresses.RESYNC_WANTED, new ResyncWanted(PART));
                });
    }

    @Override
    public Future<?> stop() {
        shell.dumps().withdraw(PART);
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> reload(LedgerConfig section) {
        return home.map(here -> here.run(() -> take(section)))
                .orElseGet(() -> Future.failedFuture(new IllegalStateException("the ledger has not started yet")));
    }

    private Future<Void> take(LedgerConfig section) {
        var refusal = section.unchangeable(config);
        if (refusal.isPresent()) {
            return Future.failedFuture(new IllegalArgumentException(refusal.get()));
        }
        return store.rule(section.rules()).compose(ruled -> {
            config = section;
            return reweighAll();
        });
    }

    /** What is missed here the next tick makes good, as the rules have been taken. */
    private Future<Void> reweighAll() {
        return store.nodes()
                .compose(nodes -> Future.join(nodes.stream()
                        .map(node -> run(node, new LedgerCommand.Reweigh()))
                        .toList()))
                .onFailure(lost -> warn("", "Not every node's watermark has been moved yet.", lost))
                .transform(done -> Future.succeededFuture());
    }

    private List<Future<Void>> serve() {
        return List.of(
                bus.serve(LedgerAddresses.OPEN, question -> run(question.node(), new LedgerCommand.Open(question))),
                bus.serve(LedgerAddresses.PERMIT, this::permit),
                bus.serve(
                        LedgerAddresses.LOAD_NODE,
                        listing -> run(listing.node().node(), new LedgerCommand.Load(listing))),
                bus.serve(LedgerAddresses.SETTLE, read -> run(read.node(), new LedgerCommand.SettleMember(read))),
                bus.serve(LedgerAddresses.SNAPSHOT, this::snapshot));
    }

    private List<Future<Void>> serveMoves() {
        return List.of(
                bus.serve(LedgerAddresses.HOLD, wanted -> place(wanted.node(), new LedgerCommand.Hold(wanted))),
                bus.serve(
                        LedgerAddresses.CONFIRM, done -> place(done.node(), new LedgerCommand.Confirm(done.holder()))),
                bus.serve(
                        LedgerAddresses.RELEASE, free -> place(free.node(), new LedgerCommand.Release(free.holder()))),
                bus.serve(LedgerAddresses.MARK, begun -> move(begun.node(), new LedgerCommand.Mark(begun))),
                bus.serve(LedgerAddresses.UNMARK, over -> move(over.node(), new LedgerCommand.Unmark(over.member()))));
    }

    /** VMs that are gone are not heard of: what they hold goes with their pods. */
    private List<Future<Void>> subscribe() {
        return List.of(
                bus.subscribe(ClusterAddresses.NODE_SEEN, seen -> take(seen.node(), new LedgerCommand.SeeNode(seen))),
                bus.subscribe(ClusterAddresses.NODE_GONE, gone -> take(gone.node(), new LedgerCommand.LoseNode(gone))),
                bus.subscribe(ClusterAddresses.POD_SEEN, seen -> take(seen.node(), new LedgerCommand.SeePod(seen))),
                bus.subscribe(ClusterAddresses.POD_GONE, gone -> take(gone.node(), new LedgerCommand.LosePod(gone))),
                bus.subscribe(ClusterAddresses.VM_SEEN, seen -> take(seen.node(), new LedgerCommand.SeeVm(seen))));
    }

    private Future<PermitReply> permit(PermitRequest question) {
        return run(question.node(), new LedgerCommand.Ask(question)).onSuccess(meters::answered);
    }

    private Future<HoldReply> place(String node, LedgerCommand<HoldReply> command) {
        return run(node, command).onSuccess(meters::answered);
    }

    private Future<MarkReply> move(String node, LedgerCommand<MarkReply> command) {
        return run(node, command).onSuccess(meters::answered);
    }

    private Future<Snapshot> snapshot(SnapshotRequest wanted) {
        var nodes = wanted.node().isEmpty() ? store.nodes() : Future.succeededFuture(List.of(wanted.node()));
        return nodes.compose(names -> Future.all(names.stream().map(store::read).toList()))
                .map(read -> new Snapshot(read.<Optional<NodeState>>list().stream()
                        .flatMap(Optional::stream)
                        .map(state -> Books.full(state, notices.broken(state.node())))
                        .toList()));
    }

    /** A fact has nobody to answer; one that is not kept comes again with the next listing. */
    private void take(String node, LedgerCommand<?> fact) {
        if (node.isEmpty()) {
            return;
        }
        run(node, fact).onFailure(lost -> warn(node, "A fact was not kept.", lost));
    }

    private void tick() {
        store.nodes()
                .onSuccess(nodes -> nodes.forEach(node -> take(node, new LedgerCommand.Tick())))
                .onFailure(lost -> warn("", "Holds could not be looked at.", lost));
    }

    private <A> Future<A> run(String node, LedgerCommand<A> command) {
        return store.run(node, command).map(outcome -> {
            happened(node, outcome);
            return outcome.reply();
        });
    }

    private void happened(String node, Outcome<?> outcome) {
        outcome.notices().forEach(notice -> notices.tell(node, notice));
        if (outcome.state().isBlank()) {
            forget(outcome.state());
            return;
        }
        NodeBooks books = Books.summary(outcome.state(), notices.broken(node));
        meters.show(books);
        announcer.changed(books);
    }

    private void forget(NodeState blank) {
        if (meters.forget(blank.node())) {
            notices.forget(blank.node());
            announcer.changed(Books.summary(blank, 0));
            announcer.forget(blank.node());
        }
    }

    private static void warn(String node, String sentence, Throwable lost) {
        LOG.atWarn()
                .addKeyValue(LogKeys.NODE, node)
                .addKeyValue(LogKeys.ERROR, lost.toString())
                .log(sentence);
    }
}
