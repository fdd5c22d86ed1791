package io.sluice.ledger.core.histories;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.devices.GpuMode;
import io.sluice.devices.NodeDevices;
import io.sluice.devices.NodeZones;
import io.sluice.devices.PodFingerprint;
import io.sluice.devices.Zone;
import io.sluice.devices.ZoneRequest;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.Scene;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.wire.NodeStateCodec;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No kubelet refuses a pod for which the ledger has held room of NUMA zones, whichever zone it chose for others:
 * whatever reports are late or lost, pods end unobserved, and ledger states are lost or read from a copy.
 */
class ZoneHistoriesTest {
    private static final int STEPS = 300;
    private static final int ZONES = 2;
    private static final long ZONE_CPUS = 4;
    private static final UnaryOperator<NodeState> AS_IT_IS = state -> state;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noKubeletRefusesAPodForWhichRoomWasHeld(long seed) {
        var world = new World(seed, AS_IT_IS);
        world.play();
        assertThat(world.refused).as("seed %d", seed).isEmpty();
    }

    /** Otherwise the histories would show less than they seem to. */
    @Test
    void mostHistoriesHavePodsInBothZonesAndOthersThatWait() {
        var worlds = seeds().mapToObj(seed -> new World(seed, AS_IT_IS)).toList();
        worlds.forEach(World::play);
        assertThat(worlds).filteredOn(world -> world.exact > 0).hasSizeGreaterThan(150);
        assertThat(worlds).filteredOn(world -> world.denied > 0).hasSizeGreaterThan(150);
    }

    @Test
    void findsPodsThatCountInTheFirstZoneAlone() {
        assertThat(found(state -> zoned(state, kind -> kind.startsWith("zone/0/"))))
                .isPositive();
    }

    @Test
    void findsZonesThatAreForgottenOnceAPodIsBound() {
        assertThat(found(state -> {
                    var next = state;
                    for (var reservation : state.reservations()) {
                        next = reservation.status().held() ? next : next.with(zoned(reservation, kind -> false));
                    }
                    return next;
                }))
                .isPositive();
    }

    /** In how many histories a mistake, made after each command, has a kubelet refuse a pod. */
    private static long found(UnaryOperator<NodeState> mistake) {
        return seeds().mapToObj(seed -> new World(seed, mistake))
                .peek(World::play)
                .filter(world -> !world.refused.isEmpty())
                .count();
    }

    private static NodeState zoned(NodeState state, Predicate<String> counts) {
        var next = state;
        for (var reservation : state.reservations()) {
            next = next.with(zoned(reservation, counts));
        }
        return next;
    }

    private static Reservation zoned(Reservation reservation, Predicate<String> counts) {
        return reservation.with(reservation.fixed().only(kind -> !Zone.isKind(kind) || counts.test(kind)));
    }

    /** A pod, and its zone once its kubelet has admitted it. */
    private static final class Pod {
        private final String name;
        private final long cpus;
        private Optional<Integer> zone = Optional.empty();

        Pod(String name, long cpus) {
            this.name = name;
            this.cpus = cpus;
        }

        FixedAmounts fixed() {
            return new ZoneRequest(List.of(cpus(cpus)), List.of())
                    .kinds()
                    .plus(FixedAmounts.of(Map.of(FixedAmounts.PODS, 1L)));
        }
    }

    private static FixedAmounts cpus(long cpus) {
        return FixedAmounts.of(Map.of("cpu", 1_000 * cpus));
    }

    private static final class World {
        private final Random random;
        private final UnaryOperator<NodeState> mistake;
        private final NodeLedger ledger = new NodeLedger(Scene.rules(0.8, LastPermitTrust.RECOVERY));
        private final NodeStateCodec copies = new NodeStateCodec();
        private final List<Pod> held = new ArrayList<>();
        private final List<Pod> running = new ArrayList<>();
        private final List<LedgerCommand<?>> late = new ArrayList<>();
        private NodeState state = NodeState.blank(Scene.NODE);
        private NodeZones report;
        private Instant now = Instant.parse("2026-11-21T00:00:00Z");
        private long version = 1;
        private long incarnation = 1_000_000;
        private int pods;
        private int exact;
        private int denied;
        private final List<String> refused = new ArrayList<>();

        World(long seed, UnaryOperator<NodeState> mistake) {
            random = new Random(seed);
            this.mistake = mistake;
            report = reported();
            load();
        }

        void play() {
            for (int step = 0; step < STEPS && refused.isEmpty(); step++) {
                now = now.plusMillis(random.nextInt(4_000));
                switch (random.nextInt(16)) {
                    case 0, 1, 2, 3 -> hold();
                    case 4, 5, 6 -> bind();
                    case 7 -> release();
                    case 8, 9 -> end();
                    case 10, 11 -> report();
                    case 12 -> arrivePastTheLedger();
                    case 13 -> oneOfTheLateArrives();
                    case 14 -> loseOrCopyTheState();
                    default -> run(new LedgerCommand.Tick());
                }
            }
        }

        private void hold() {
            var pod = new Pod("p-" + pods++, 1 + random.nextInt((int) ZONE_CPUS));
            var reply = run(new LedgerCommand.Hold(new HoldRoom(
                    Scene.NODE,
                    pod.name,
                    "ns",
                    pod.name,
                    "",
                    new Resources(10, 10),
                    Overcommit.OFF,
                    HoldRoom.UNTIL_RELEASED,
                    AttemptId.NONE,
                    pod.fixed())));
            switch (reply) {
                case HoldReply.Held granted -> {
                    held.add(pod);
                    exact += granted.gpus().zones().size() == 1 ? 1 : 0;
                }
                case HoldReply.NoDevice misfit -> denied++;
                default -> {}
            }
        }

        private void bind() {
            if (!held.isEmpty()) {
                var pod = held.remove(random.nextInt(held.size()));
                if (!admitted(pod)) {
                    refused.add(pod.name + " of " + pod.cpus + " CPUs");
                }
                sooner(observation(pod));
            }
        }

        /** Its kubelet chooses any zone that has room. */
        private boolean admitted(Pod pod) {
            var zones = new ArrayList<Integer>();
            for (int zone = 0; zone < ZONES; zone++) {
                if (free(zone) >= pod.cpus) {
                    zones.add(zone);
                }
            }
            if (zones.isEmpty()) {
                return false;
            }
            pod.zone = Optional.of(zones.get(random.nextInt(zones.size())));
            running.add(pod);
            return true;
        }

        private long free(int zone) {
            return ZONE_CPUS
                    - running.stream()
                            .filter(pod -> pod.zone.equals(Optional.of(zone)))
                            .mapToLong(pod -> pod.cpus)
                            .sum();
        }

        private LedgerCommand<?> observation(Pod pod) {
            return new LedgerCommand.ObservePod(new PodObserved(
                    pod.name, "ns", pod.name, Scene.NODE, "", ++version, new Resources(10, 10), 0, "", pod.fixed()));
        }

        private void release() {
            if (!held.isEmpty()) {
                run(new LedgerCommand.Release(held.removeLast().name));
            }
        }

        private void end() {
            if (!running.isEmpty()) {
                var pod = running.remove(random.nextInt(running.size()));
                sooner(new LedgerCommand.LosePod(new PodGone(pod.name, Scene.NODE, ++version)));
            }
        }

        /** Where nothing is held, as the ledger promises nothing of what it cannot know. */
        private void arrivePastTheLedger() {
            var pod = new Pod("s-" + pods++, 1 + random.nextInt((int) ZONE_CPUS));
            if (held.isEmpty() && admitted(pod)) {
                run(observation(pod));
            }
        }

        private NodeZones reported() {
            var zones = new Zone[ZONES];
            Arrays.setAll(zones, id -> new Zone(id, cpus(ZONE_CPUS), cpus(free(id)), Map.of()));
            return new NodeZones(
                    NodeZones.Policy.SINGLE_ZONE,
                    false,
                    NodeZones.ZONES_MAX,
                    ++version,
                    PodFingerprint.of(running.stream()
                            .map(pod -> Map.entry("ns", pod.name))
                            .toList()),
                    List.of(zones));
        }

        private void report() {
            report = reported();
            sooner(new LedgerCommand.ObserveNode(node()));
        }

        private NodeObserved node() {
            return new NodeObserved(
                    Scene.NODE,
                    ++version,
                    new Resources(100_000, 1_000_000),
                    "",
                    List.of(),
                    true,
                    FixedAmounts.of(Map.of(FixedAmounts.PODS, 200L)),
                    new NodeDevices(GpuMode.WHOLE, List.of(), report));
        }

        /** Mostly at once, else in any order. */
        private void sooner(LedgerCommand<?> command) {
            if (random.nextInt(3) == 0) {
                late.add(command);
            } else {
                run(command);
            }
        }

        private void oneOfTheLateArrives() {
            if (!late.isEmpty()) {
                run(late.remove(random.nextInt(late.size())));
            }
        }

        /** After a loss nobody binds what was held before. */
        private void loseOrCopyTheState() {
            if (random.nextInt(3) > 0) {
                state = copies.decode(copies.encode(state));
                return;
            }
            held.clear();
            late.clear();
            state = NodeState.blank(Scene.NODE);
            load();
        }

        /** The first list is refused with the number that the next one has to name. */
        private void load() {
            var observed = running.stream()
                    .map(pod -> ((LedgerCommand.ObservePod) observation(pod)).observation())
                    .toList();
            var fullList = new LoadNode(node(), ++version, observed, List.of());
            run(new LedgerCommand.Load(fullList));
            run(new LedgerCommand.Load(fullList.relist(state.fullList().relist().orElseThrow())));
        }

        private <A> A run(LedgerCommand<A> command) {
            var outcome = ledger.apply(state, command, now, ++incarnation);
            if (mistake == AS_IT_IS) {
                assertThat(outcome.notices()).noneMatch(notice -> notice instanceof LedgerNotice.InvariantsBroken);
            }
            state = mistake.apply(outcome.state());
            return outcome.reply();
        }
    }
}
