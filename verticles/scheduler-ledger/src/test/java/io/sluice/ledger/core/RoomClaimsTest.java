package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ledger.core.state.LedgerView;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.RoomClaim;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Room that is kept for a pod that waits: which holds it denies, and when it ends. */
class RoomClaimsTest {
    private static final Duration MINUTE = KeepRoom.KEPT_AT_MOST;
    private static final String OF_JOB = KeptRoom.OF_WORKLOAD + "ns/job";

    /** A node of 10 CPUs, of which 6 are reserved. */
    private final Scene scene = Scene.loaded();

    RoomClaimsTest() {
        scene.fillTo(6_000);
    }

    /** Five CPUs are kept, and four are free. */
    @ParameterizedTest
    @CsvSource({
        "pod,       1, 0, denied",
        "pod,       1, 5, denied",
        "pod,       1, 6, held",
        "pod,       0, 0, held",
        "large,     4, 5, held",
        "migration, 1, 9, denied",
    })
    void deniesWhatWouldLeaveLessThanIsKept(String pod, long cpus, int priority, String expected) {
        keep("large", 5, 5);
        var holder = pod.equals("migration") ? HoldRoom.forMigration("ns", "move") : pod;

        var reply = hold(holder, pod, cpus, priority);

        assertThat(reply)
                .isEqualTo(
                        expected.equals("held") ? new HoldReply.Held(MINUTE) : new HoldReply.RoomKept("ns/large-name"));
    }

    @Test
    void whatIsLeftBesideItIsHeld() {
        keep("large", 3, 0);

        assertThat(hold("p", "p", 1, 0)).isEqualTo(new HoldReply.Held(MINUTE));
        assertThat(hold("q", "q", 1, 0)).isEqualTo(new HoldReply.RoomKept("ns/large-name"));
        assertThat(hold("p", "p", 1, 0)).as("a repeat").isInstanceOf(HoldReply.Held.class);
        assertThat(hold("p", "p", 2, 0)).as("more").isEqualTo(new HoldReply.RoomKept("ns/large-name"));
        assertThat(hold("q", "q", 5, 0)).as("no room at all").isInstanceOf(HoldReply.NoRoom.class);
    }

    @Test
    void placesAmongPodsAreKeptToo() {
        scene.run(new LedgerCommand.ObserveNode(new NodeObserved(
                Scene.NODE,
                scene.nextVersion(),
                scene.state.size().total(),
                "",
                List.of(),
                true,
                FixedAmounts.of(Map.of("pods", 2L)))));
        var one = FixedAmounts.of(Map.of("pods", 1L));
        keep(new KeptRoom(Scene.NODE, "large", "ns/large-name", cpu(100), one, 0), MINUTE);

        assertThat(holdFixed("p", one)).isInstanceOf(HoldReply.Held.class);
        assertThat(holdFixed("q", one)).isEqualTo(new HoldReply.RoomKept("ns/large-name"));
        assertThat(holdFixed("large", one)).isInstanceOf(HoldReply.Held.class);
    }

    @Test
    void itIsInNoSumAndVmsGrowIntoIt() {
        scene.bound(Vm.of("A", 1_000, 8_000));
        var before = scene.state.sums();
        keep("large", 5, 0);

        assertThat(scene.state.sums()).isEqualTo(before);
        assertThat(scene.ruled("A", 3_000).permit().milliCpu()).isEqualTo(3_000);
        assertThat(LedgerView.summary(scene.state, 0).kept()).contains(room("large", 5, 0));
    }

    @Test
    void theHoldOfItsPodEndsIt() {
        keep("large", 4, 0);

        assertThat(hold("large", "large", 4, 0)).isInstanceOf(HoldReply.Held.class);

        assertThat(scene.state.claim()).isEmpty();
        assertThat(keep("large", 4, 0)).as("a repeat that is late").isEqualTo(new KeepReply.Ended());
        assertThat(scene.state.claim()).isEmpty();
    }

    @Test
    void itsPodThatArrivesPastTheLedgerEndsIt() {
        keep("large", 5, 0);

        scene.pod("large", cpu(5_000));

        assertThat(scene.state.claim()).isEmpty();
    }

    @Test
    void aRequestWithoutTimeEndsItForItsPodAlone() {
        keep("large", 5, 0);

        assertThat(keep(room("other", 5, 0), Duration.ZERO)).isEqualTo(new KeepReply.Ended());
        assertThat(scene.state.claim()).isPresent();
        assertThat(keep(room("large", 5, 0), Duration.ZERO)).isEqualTo(new KeepReply.Ended());
        assertThat(scene.state.claim()).isEmpty();
    }

    @Test
    void repeatsKeepItForAMinuteInAllAndNoLonger() {
        assertThat(keep("large", 5, 0)).isEqualTo(new KeepReply.Kept(MINUTE));
        scene.after(Duration.ofSeconds(40));
        assertThat(keep("large", 5, 0)).isEqualTo(new KeepReply.Kept(Duration.ofSeconds(20)));

        scene.after(Duration.ofSeconds(20).minusNanos(1)).run(new LedgerCommand.Tick());
        assertThat(scene.state.claim()).isPresent();
        assertThat(hold("p", "p", 1, 0)).isEqualTo(new HoldReply.RoomKept("ns/large-name"));
        scene.after(Duration.ofNanos(1));
        assertThat(hold("p", "p", 1, 0)).as("before the next tick").isInstanceOf(HoldReply.Held.class);
        scene.run(new LedgerCommand.Tick());
        assertThat(scene.state.claim()).isEmpty();
    }

    @Test
    void roomForAWorkloadMayBeKeptAgain() {
        var room = new KeptRoom(Scene.NODE, OF_JOB, "ns/job", cpu(4_000), 0);
        keep(room, Duration.ofSeconds(20));
        scene.after(Duration.ofSeconds(50));
        keep(room, MINUTE);
        scene.after(Duration.ofSeconds(50));
        assertThat(keep(room, MINUTE)).isEqualTo(new KeepReply.Kept(MINUTE));

        assertThat(hold("p", "other-1", 1, 0)).isEqualTo(new HoldReply.RoomKept("ns/job"));
        assertThat(hold("m1", "job-1", 2, 0)).isInstanceOf(HoldReply.Held.class);
        assertThat(scene.state.claim()).as("for its other pods").isPresent();
    }

    @Test
    void oneIsKeptOnANodeAndThatOfAHigherPriorityReplacesIt() {
        keep("large", 5, 1);

        assertThat(keep("next", 6, 1)).isEqualTo(new KeepReply.OfAnother("ns/large-name"));
        assertThat(keep("higher", 6, 2)).isEqualTo(new KeepReply.Kept(MINUTE));
        assertThat(keep("large", 5, 1)).isEqualTo(new KeepReply.OfAnother("ns/higher-name"));
        scene.after(MINUTE);
        assertThat(keep("large", 5, 1)).as("after its end").isEqualTo(new KeepReply.Kept(MINUTE));
    }

    @Test
    void nothingIsKeptWhereThePodNeverFits() {
        assertThat(keep("large", 11, 0)).isEqualTo(new KeepReply.TooLarge());
        assertThat(scene.state.claim()).isEmpty();
    }

    @Test
    void nothingIsKeptForAPodThatHasEnded() {
        scene.pod("large", cpu(100));
        scene.podGone("large");

        assertThat(keep("large", 5, 0)).isEqualTo(new KeepReply.Ended());
    }

    @Test
    void nothingIsKeptOnANodeThatIsNotComplete() {
        var fresh = Scene.withRules(0.8);

        assertThat(fresh.run(new LedgerCommand.Keep(new KeepRoom(room("large", 5, 0), MINUTE))))
                .isEqualTo(new KeepReply.NotReady(NotReadyCause.NODE_UNKNOWN));
        assertThat(fresh.state.claim()).isEmpty();
    }

    @Test
    void aRequestForMoreThanAMinuteIsRefused() {
        assertThatThrownBy(() -> new KeepRoom(room("large", 5, 0), MINUTE.plusNanos(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ttl");
    }

    @Test
    void theChecksFindAClaimThatBreaksItsRules() {
        keep("large", 5, 0);
        var was = scene.state.claim().orElseThrow();
        var later = was.since().plusSeconds(1);

        assertThat(violations(
                        with(new RoomClaim(was.room(), was.since(), was.until().plusNanos(1)))))
                .anyMatch(text -> text.contains("is kept for ns/large-name from"));
        assertThat(violations(with(new RoomClaim(room("filler", 5, 0), was.since(), was.until()))))
                .anyMatch(text -> text.contains("which has a reservation"));
        assertThat(step(new LedgerCommand.Tick(), claim("large", later)))
                .anyMatch(text -> text.contains("keeps no room"));
        assertThat(step(new LedgerCommand.Keep(new KeepRoom(was.room(), MINUTE)), claim("large", later)))
                .as("a pod gets more time")
                .anyMatch(text -> text.contains("what is kept changed"));
        assertThat(step(new LedgerCommand.Keep(new KeepRoom(was.room(), MINUTE)), claim("next", later)))
                .as("another pod of the same priority")
                .anyMatch(text -> text.contains("what is kept changed"));
    }

    private static RoomClaim claim(String uid, Instant since) {
        return new RoomClaim(room(uid, 5, 0), since, since.plusSeconds(1));
    }

    private NodeState with(RoomClaim claim) {
        return scene.state.claiming(Optional.of(claim));
    }

    private static List<String> violations(NodeState state) {
        return new ArrayList<>(Invariants.check(state));
    }

    private List<String> step(LedgerCommand<?> command, RoomClaim after) {
        return Invariants.check(
                scene.state,
                command,
                CommandOutcome.of(with(after), 0),
                Scene.rules(0.8, LastPermitTrust.RECOVERY),
                true);
    }

    private static KeptRoom room(String uid, long cpus, int upTo) {
        return new KeptRoom(Scene.NODE, uid, "ns/" + uid + "-name", cpu(cpus * 1_000), upTo);
    }

    /** Several members of a gang may come to one node. */
    @Test
    void whatIsKeptForAnAttemptIsForAllItsHolds() {
        var room = new KeptRoom(Scene.NODE, "gang-2-0-x", "gang ns/g", cpu(4_000), 0);
        assertThat(keep(room, MINUTE)).isEqualTo(new KeepReply.Kept(MINUTE));

        assertThat(hold("p", "p", 1, 0)).isEqualTo(new HoldReply.RoomKept("gang ns/g"));
        assertThat(hold("m1", "m1", 2, 0, "gang-2-0-y.1")).isEqualTo(new HoldReply.RoomKept("gang ns/g"));
        assertThat(hold("m1", "m1", 2, 0, "gang-2-0-x.1")).isInstanceOf(HoldReply.Held.class);
        assertThat(hold("m2", "m2", 2, 0, "gang-2-0-x.2")).isInstanceOf(HoldReply.Held.class);
        assertThat(scene.state.claim()).isPresent();
        assertThat(keep(room, Duration.ZERO)).isEqualTo(new KeepReply.Ended());
        assertThat(scene.state.claim()).isEmpty();
    }

    private KeepReply keep(String uid, long cpus, int upTo) {
        return keep(room(uid, cpus, upTo), MINUTE);
    }

    private KeepReply keep(KeptRoom room, Duration ttl) {
        return scene.run(new LedgerCommand.Keep(new KeepRoom(room, ttl)));
    }

    private HoldReply hold(String holder, String name, long cpus, int priority) {
        return hold(holder, name, cpus, priority, "");
    }

    private HoldReply hold(String holder, String name, long cpus, int priority, String attempt) {
        return scene.run(new LedgerCommand.Hold(new HoldRoom(
                Scene.NODE,
                holder,
                "ns",
                name,
                "",
                new Resources(cpus * 1_000, 0),
                Overcommit.OFF,
                MINUTE,
                attempt,
                FixedAmounts.NONE,
                List.of(),
                priority)));
    }

    private HoldReply holdFixed(String holder, FixedAmounts fixed) {
        return scene.run(new LedgerCommand.Hold(
                new HoldRoom(Scene.NODE, holder, "ns", holder, "", Resources.NONE, Overcommit.OFF, MINUTE, "", fixed)));
    }
}
