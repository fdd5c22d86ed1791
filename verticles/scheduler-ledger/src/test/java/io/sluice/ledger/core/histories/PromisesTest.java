package io.sluice.ledger.core.histories;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.Scene;
import io.sluice.ledger.core.Vm;
import io.sluice.ledger.core.state.Contact;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.ReportedUse;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a ledger reserves for a VM is never below what the VM uses, nor below any permit that may still be used:
 * whatever replies are lost, requests repeated late, states lost, full lists late, limits changed. Nor do all VMs of a
 * node use, or may use, more than it has: only its agent makes a VM larger here.
 *
 * <p>The agents are as strict as real ones: they grow only on a permit that was requested less than ten seconds ago,
 * treat a decrease as done when they send it, and never report less than they use. Half of them report exposure. The
 * first request of one of the others in a session has all that its VM may come to use, or its last permit.
 *
 * <p>Nor is the reply to a mark below that: it is what counts for the VM at the target.
 */
class PromisesTest {
    private static final int STEPS = 300;
    private static final Duration VALID_FOR = Duration.ofSeconds(10);
    private static final long TOTAL = 6_000;
    private static final Resources UNIT = new Resources(250, 1);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 300);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void neverReservesLessThanMayBeUsed(long seed) {
        var world = new World(seed);
        for (int step = 0; step < STEPS; step++) {
            world.step(step);
        }
    }

    /** A VM and the agent that scales it. */
    private static final class Guest {
        private final String name;
        private long max;
        private long using;
        private boolean autoscaled = true;
        private long permit;
        private Instant requestedAt = Instant.MIN;
        private boolean open;
        private String fence = "";
        private long session;
        private long seq;
        private Optional<Resources> markedAt = Optional.empty();
        private final boolean reports;
        private final List<PermitRequest> sent = new ArrayList<>();

        Guest(String name, long max, long using, boolean reports) {
            this.reports = reports;
            this.name = name;
            this.max = max;
            this.using = using;
            permit = using;
        }

        /** It may be growing to all that it may use. */
        ReportedUse use(Instant now) {
            return new ReportedUse(new Resources(using, 1), new Resources(mayUse(now), 1));
        }

        /** Without a valid permit it may only use what it uses. */
        long mayUse(Instant now) {
            boolean lapsed = now.isAfter(requestedAt.plus(VALID_FOR));
            return lapsed ? using : Math.max(using, permit);
        }
    }

    private static final class World {
        private final long seed;
        private final Random random;
        private NodeLedger ledger = new NodeLedger(Scene.rules(0.5, LastPermitTrust.RECOVERY));
        private final List<Guest> guests = new ArrayList<>();
        private final List<LoadNode> fullLists = new ArrayList<>();
        private NodeState state = NodeState.blank(Scene.NODE);
        private Instant now = Instant.parse("2026-11-21T00:00:00Z");
        private long version = 1;
        private long incarnation = 1_000_000;
        private String what = "";

        World(long seed) {
            this.seed = seed;
            random = new Random(seed);
            for (int i = 0; i < 4; i++) {
                guests.add(new Guest("vm-" + i, 500 + random.nextInt(5000), 250, random.nextBoolean()));
            }
            load();
        }

        void step(int step) {
            now = now.plusMillis(random.nextInt(4000));
            var guest = guests.get(random.nextInt(guests.size()));
            switch (random.nextInt(21)) {
                case 0, 1, 2, 3 -> request(guest);
                case 4, 5, 6 -> grow(guest);
                case 7 -> shrink(guest);
                case 8 -> repeatSomethingOld(guest);
                case 9, 10 -> observe(guest);
                case 11 -> changeMax(guest);
                case 12 -> loseTheLedgerState();
                case 13 -> settle(guest);
                case 14 -> toggle(guest);
                case 15 -> mark(guest);
                case 16 -> unmark(guest);
                case 17 -> reweigh();
                case 18 -> receiveAnOldFullList();
                case 19 -> putTheStoreBack();
                default -> run(new LedgerCommand.Tick());
            }
            check(step);
        }

        private void check(int step) {
            if (!state.fullList().complete()) {
                return;
            }
            long all = 0;
            for (var guest : guests) {
                all += guest.mayUse(now);
                var reserved = state.reservations()
                        .find(guest.name)
                        .orElseThrow()
                        .amounts()
                        .reserved()
                        .milliCpu();
                assertThat(reserved)
                        .as(
                                "seed %d step %d %s: %s uses %d, may use %d",
                                seed, step, what, guest.name, guest.using, guest.mayUse(now))
                        .isGreaterThanOrEqualTo(guest.mayUse(now));
                assertThat(guest.markedAt.map(Resources::milliCpu).orElse(Long.MAX_VALUE))
                        .as("seed %d step %d %s: %s migrates", seed, step, what, guest.name)
                        .isGreaterThanOrEqualTo(guest.mayUse(now));
            }
            assertThat(all)
                    .as("seed %d step %d %s: all together", seed, step, what)
                    .isLessThanOrEqualTo(TOTAL);
        }

        /**
         * The reply to a mark is what counts for the VM at the target: from then on it may not use more. For a VM whose
         * agent sent no request since the loss of state, it is read again, because a higher maximum may have been
         * permitted before.
         */
        private void mark(Guest guest) {
            var causes = MarkMigrating.Cause.values();
            var cause = causes[random.nextInt(causes.length)];
            var room = new Resources(random.nextInt(6000), 1);
            if (run(new LedgerCommand.Mark(new MarkMigrating(Scene.NODE, guest.name, cause, room, "move")))
                    instanceof MarkReply.Marked(var reserved)) {
                boolean received = state.reservations()
                                .find(guest.name)
                                .orElseThrow()
                                .status()
                                .contact()
                        != Contact.RECOVERED;
                guest.markedAt = received ? Optional.of(reserved) : Optional.empty();
            }
        }

        private void unmark(Guest guest) {
            run(new LedgerCommand.Unmark(new UnmarkMigrating(Scene.NODE, guest.name, Scene.MOVE)));
            guest.markedAt = Optional.empty();
        }

        private void reweigh() {
            ledger = new NodeLedger(Scene.rules(0.1 + random.nextInt(9) / 10.0, LastPermitTrust.RECOVERY));
            run(new LedgerCommand.Reweigh());
        }

        private <A> A run(LedgerCommand<A> command) {
            what = command.getClass().getSimpleName();
            var outcome = ledger.apply(state, command, now, ++incarnation);
            assertThat(outcome.notices())
                    .as("seed %d", seed)
                    .noneMatch(notice -> notice instanceof LedgerNotice.InvariantsBroken);
            state = outcome.state();
            return outcome.reply();
        }

        /** Half of all replies are lost. */
        private void request(Guest guest) {
            if (!guest.autoscaled || !open(guest)) {
                return;
            }
            // It claims the fence before its request: a reclaim may have taken the fence, and a permit has no effect
            // without it.
            guest.fence = "runner/0";
            boolean reports = guest.seq == 0 && random.nextBoolean();
            long target = reports ? guest.mayUse(now) : Math.max(guest.using, 1 + random.nextInt((int) guest.max));
            guest.seq++;
            var lastPermit = reports ? Optional.<Resources>empty() : Optional.of(new Resources(guest.mayUse(now), 1));
            var request = new PermitRequest(
                    Scene.NODE,
                    guest.name,
                    "runner",
                    guest.session,
                    guest.seq,
                    UNIT,
                    new Resources(target, 1),
                    lastPermit,
                    Optional.empty(),
                    guest.reports ? Optional.of(guest.use(now)) : Optional.empty());
            guest.sent.add(request);
            guest.permit = Math.min(guest.mayUse(now), target);
            var reply = run(new LedgerCommand.RequestPermit(request));
            switch (reply) {
                case PermitReply.Ruled ruled
                when random.nextBoolean() -> {
                    guest.permit = ruled.permit().milliCpu();
                    guest.requestedAt = now;
                }
                case PermitReply.OpenAgain again -> guest.open = false;
                case PermitReply.Superseded superseded -> guest.open = false;
                default -> {}
            }
        }

        private boolean open(Guest guest) {
            if (guest.open) {
                return true;
            }
            var reply = run(new LedgerCommand.Open(new OpenSession(Scene.NODE, guest.name, "runner", guest.session)));
            if (reply instanceof OpenReply.Opened opened) {
                guest.open = true;
                guest.session = opened.session();
                guest.seq = 0;
            }
            return guest.open;
        }

        private void repeatSomethingOld(Guest guest) {
            if (!guest.sent.isEmpty()) {
                run(new LedgerCommand.RequestPermit(guest.sent.get(random.nextInt(guest.sent.size()))));
            }
        }

        private void grow(Guest guest) {
            long limit = Math.min(guest.mayUse(now), Math.max(guest.max, guest.using));
            guest.using = Math.max(guest.using, limit);
        }

        private void shrink(Guest guest) {
            guest.permit = guest.mayUse(now);
            guest.using = Math.max(1, guest.using / 2);
        }

        private void observe(Guest guest) {
            version++;
            run(new LedgerCommand.ObserveVm(observation(guest).at(version)));
        }

        private static Vm observation(Guest guest) {
            return new Vm(
                    guest.name,
                    new Resources(1, 1),
                    new Resources(guest.max, 1),
                    new Resources(guest.using, 1),
                    guest.autoscaled,
                    VmPhase.RUNNING,
                    Overcommit.OFF,
                    Optional.empty(),
                    guest.fence);
        }

        /**
         * An agent observes a new maximum before it uses a permit above it, and the API server refuses such a patch
         * too.
         */
        private void changeMax(Guest guest) {
            guest.max = Math.max(guest.using, 300 + random.nextInt(5000));
            guest.permit = Math.min(guest.permit, guest.max);
            observe(guest);
        }

        private void toggle(Guest guest) {
            guest.autoscaled = !guest.autoscaled;
            observe(guest);
        }

        /**
         * Loses the state of all VMs at once. The next full list may be late, and lists from before the loss come
         * first.
         */
        private void loseTheLedgerState() {
            if (random.nextInt(3) == 0) {
                state = NodeState.blank(Scene.NODE);
                guests.forEach(guest -> guest.markedAt = Optional.empty());
                now = now.plusMillis(random.nextInt(2) * 15_000L);
                receiveAnOldFullList();
                load();
            }
        }

        private void load() {
            var requested = run(new LedgerCommand.Load(LoadNode.ahead(node()))).relist();
            version++;
            fullLists.add(fullList().relist(requested.orElseThrow()));
            run(new LedgerCommand.Load(fullLists.getLast()));
        }

        private NodeObserved node() {
            return new NodeObserved(Scene.NODE, version, new Resources(TOTAL, 1000));
        }

        private LoadNode fullList() {
            var pods = guests.stream()
                    .map(guest -> new PodObserved(
                            guest.name, "ns", guest.name, Scene.NODE, guest.name, version, new Resources(1, 1), 0))
                    .toList();
            var vms =
                    guests.stream().map(guest -> observation(guest).at(version)).toList();
            return new LoadNode(node(), version, pods, vms);
        }

        /**
         * Restores the store: its versions are lower from now on, and what was sent before does not arrive any more.
         */
        private void putTheStoreBack() {
            long known = state.fullList().version();
            if (random.nextInt(3) > 0 || !state.fullList().complete() || known < 3) {
                return;
            }
            version = known / 2;
            fullLists.clear();
            load();
        }

        /** A connection that was cut off for a while brings what was sent then. */
        private void receiveAnOldFullList() {
            if (random.nextInt(3) == 0) {
                run(new LedgerCommand.Load(fullLists.get(random.nextInt(fullLists.size()))));
            }
        }

        /** Reclaims after a read with a new fence: earlier runners can patch no more. */
        private void settle(Guest guest) {
            guest.permit = guest.using;
            guest.fence = ClaimVm.reclaimer("x");
            run(new LedgerCommand.ReclaimReservation(
                    new Reclaim(Scene.NODE, guest.name, new Resources(guest.using, 1), Reclaim.ANY_SESSION)));
        }
    }
}
