package io.sluice.ledger.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.ReportedUse;
import io.sluice.messages.ledger.UnmarkMigrating;
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
 * What a ledger books for a VM is never below what the VM uses, nor below any permit that may still be put to use:
 * whatever answers are lost, questions repeated late, books lost, listings late, limits changed. Nor do all VMs of a
 * node use, or may use, more than it has: nobody makes a VM larger here but its agent.
 *
 * <p>The agents here are as strict as real ones must be: they grow only on a permit asked for less than ten seconds
 * ago, take a question for less as done when they send it, and never tell less than they use. Half of them report what
 * their VM may come to use; what one of the others tells first in a session is that, or what it was permitted last.
 *
 * <p>What a mark answered is never below either: it is what counts for the VM where it moves to.
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
    void neverBooksLessThanMayBeUsed(long seed) {
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
        private Instant askedAt = Instant.MIN;
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

        /** It may be on its way to all that it may use. */
        ReportedUse use(Instant now) {
            return new ReportedUse(new Resources(using, 1), new Resources(mayUse(now), 1));
        }

        /** Without a permit that still holds only what is used may be used. */
        long mayUse(Instant now) {
            boolean lapsed = now.isAfter(askedAt.plus(VALID_FOR));
            return lapsed ? using : Math.max(using, permit);
        }
    }

    private static final class World {
        private final long seed;
        private final Random random;
        private NodeLedger ledger = new NodeLedger(Scene.rules(0.5, LastPermitTrust.RECOVERY));
        private final List<Guest> guests = new ArrayList<>();
        private final List<LoadNode> listings = new ArrayList<>();
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
                case 0, 1, 2, 3 -> ask(guest);
                case 4, 5, 6 -> grow(guest);
                case 7 -> shrink(guest);
                case 8 -> repeatSomethingOld(guest);
                case 9, 10 -> see(guest);
                case 11 -> changeMax(guest);
                case 12 -> loseTheBooks();
                case 13 -> settle(guest);
                case 14 -> toggle(guest);
                case 15 -> mark(guest);
                case 16 -> unmark(guest);
                case 17 -> reweigh();
                case 18 -> hearOfAnOldListing();
                case 19 -> putTheStoreBack();
                default -> run(new LedgerCommand.Tick());
            }
            check(step);
        }

        private void check(int step) {
            if (!state.listing().complete()) {
                return;
            }
            long all = 0;
            for (var guest : guests) {
                all += guest.mayUse(now);
                var booked = state.members()
                        .find(guest.name)
                        .orElseThrow()
                        .amounts()
                        .reserved()
                        .milliCpu();
                assertThat(booked)
                        .as(
                                "seed %d step %d %s: %s uses %d, may use %d",
                                seed, step, what, guest.name, guest.using, guest.mayUse(now))
                        .isGreaterThanOrEqualTo(guest.mayUse(now));
                assertThat(guest.markedAt.map(Resources::milliCpu).orElse(Long.MAX_VALUE))
                        .as("seed %d step %d %s: %s moves", seed, step, what, guest.name)
                        .isGreaterThanOrEqualTo(guest.mayUse(now));
            }
            assertThat(all)
                    .as("seed %d step %d %s: all together", seed, step, what)
                    .isLessThanOrEqualTo(TOTAL);
        }

        /**
         * What a mark answers is what counts for the VM where it moves to: from then on it may not use more. Of one
         * that was not heard since the books were lost that is read anew, as a higher maximum may have been permitted
         * before.
         */
        private void mark(Guest guest) {
            var causes = MarkMigrating.Cause.values();
            var cause = causes[random.nextInt(causes.length)];
            var room = new Resources(random.nextInt(6000), 1);
            if (run(new LedgerCommand.Mark(new MarkMigrating(Scene.NODE, guest.name, cause, room, "move")))
                    instanceof MarkReply.Marked(var reserved)) {
                boolean heard = state.members()
                                .find(guest.name)
                                .orElseThrow()
                                .standing()
                                .contact()
                        != Contact.RECOVERED;
                guest.markedAt = heard ? Optional.of(reserved) : Optional.empty();
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

        /** Half of all answers are lost. */
        private void ask(Guest guest) {
            if (!guest.autoscaled || !open(guest)) {
                return;
            }
            // It claims the fence before it asks: whoever settled its VM took that, and a permit is of no use without.
            guest.fence = "runner/0";
            boolean tells = guest.seq == 0 && random.nextBoolean();
            long target = tells ? guest.mayUse(now) : Math.max(guest.using, 1 + random.nextInt((int) guest.max));
            guest.seq++;
            var lastPermit = tells ? Optional.<Resources>empty() : Optional.of(new Resources(guest.mayUse(now), 1));
            var question = new PermitRequest(
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
            guest.sent.add(question);
            guest.permit = Math.min(guest.mayUse(now), target);
            var reply = run(new LedgerCommand.RequestPermit(question));
            switch (reply) {
                case PermitReply.Ruled ruled
                when random.nextBoolean() -> {
                    guest.permit = ruled.permit().milliCpu();
                    guest.askedAt = now;
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

        private void see(Guest guest) {
            version++;
            run(new LedgerCommand.SeeVm(fact(guest).at(version)));
        }

        private static Vm fact(Guest guest) {
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

        /** An agent sees a new maximum before it uses a permit beyond it, and the API server refuses it besides. */
        private void changeMax(Guest guest) {
            guest.max = Math.max(guest.using, 300 + random.nextInt(5000));
            guest.permit = Math.min(guest.permit, guest.max);
            see(guest);
        }

        private void toggle(Guest guest) {
            guest.autoscaled = !guest.autoscaled;
            see(guest);
        }

        /** All at once; the next listing may be long in coming, and ones from before the loss come first. */
        private void loseTheBooks() {
            if (random.nextInt(3) == 0) {
                state = NodeState.blank(Scene.NODE);
                guests.forEach(guest -> guest.markedAt = Optional.empty());
                now = now.plusMillis(random.nextInt(2) * 15_000L);
                hearOfAnOldListing();
                load();
            }
        }

        private void load() {
            var asked = run(new LedgerCommand.Load(LoadNode.ahead(node()))).relist();
            version++;
            listings.add(listing().relist(asked.orElseThrow()));
            run(new LedgerCommand.Load(listings.getLast()));
        }

        private NodeObserved node() {
            return new NodeObserved(Scene.NODE, version, new Resources(TOTAL, 1000));
        }

        private LoadNode listing() {
            var pods = guests.stream()
                    .map(guest -> new PodObserved(
                            guest.name, "ns", guest.name, Scene.NODE, guest.name, version, new Resources(1, 1), 0))
                    .toList();
            var vms = guests.stream().map(guest -> fact(guest).at(version)).toList();
            return new LoadNode(node(), version, pods, vms);
        }

        /** Its versions are lower from now on; what was sent before is not heard any more. */
        private void putTheStoreBack() {
            long known = state.listing().version();
            if (random.nextInt(3) > 0 || !state.listing().complete() || known < 3) {
                return;
            }
            version = known / 2;
            listings.clear();
            load();
        }

        /** A connection that was cut off for a while brings what was sent then. */
        private void hearOfAnOldListing() {
            if (random.nextInt(3) == 0) {
                run(new LedgerCommand.Load(listings.get(random.nextInt(listings.size()))));
            }
        }

        /** Read with a new fence in place: whoever spoke before can patch no more. */
        private void settle(Guest guest) {
            guest.permit = guest.using;
            guest.fence = ClaimVm.settler("x");
            run(new LedgerCommand.ReclaimReservation(
                    new Reclaim(Scene.NODE, guest.name, new Resources(guest.using, 1))));
        }
    }
}
