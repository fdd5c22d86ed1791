package io.sluice.placement.core.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.placement.core.plugins.LiveLoad;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.placement.core.plugins.RoomScore;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.shell.load.LoadScore;
import io.sluice.shell.load.NodeUse;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of the nodes that fit is the best. */
class PreferencesTest {
    private static final Resources TOTAL = new Resources(4_000, 4_000);
    private static final RoomScore RESERVED = new ReservedShare(0.5, 0.8, 0);

    private final Cluster cluster = new Cluster();

    private void node(String name, String more, long reserved) {
        node(name, more, reserved, List.of());
    }

    private void node(String name, String more, long reserved, List<KeptRoom> kept) {
        cluster.node(name, more);
        cluster.table.observed(new NodeSnapshot(
                name,
                true,
                NodeReadiness.READY,
                TOTAL,
                TOTAL,
                new Resources(reserved, reserved),
                NodeUse.NONE,
                kept,
                FixedAmounts.NONE,
                FixedAmounts.NONE));
    }

    private String best(String pod, RoomScore policy) {
        var pending = new PendingPod(Cluster.pod("new", pod), new Resources(100, 100));
        var fitting = SchedulingRules.withLedger().fitting(pending, cluster.table);
        return cluster.table.name(SchedulingRules.best(pending, cluster.table, fitting, policy));
    }

    @Test
    void theFirstNameOfEqualNodesIsTakenInWhicheverOrderTheyWereObserved() {
        node("b", "", 0);
        node("c", "", 0);
        node("a", "", 0);
        assertThat(best("", RESERVED)).isEqualTo("a");
        cluster.table.nodeGone("a");
        assertThat(best("", RESERVED)).isEqualTo("b");
    }

    @Test
    void thePolicyDecidesAmongNodesThatNothingPrefers() {
        node("idle", "", 2_000);
        node("busy", "", 2_000);
        node("empty", "", 0);
        cluster.table.use(Map.of(
                "idle", new NodeUse(new Resources(2_000, 2_000), new Resources(100, 100)), "empty", NodeUse.NONE));
        assertThat(best("", RESERVED)).isEqualTo("busy");
        assertThat(best("", new LiveLoad(new LoadScore.Pack(0.7)))).isEqualTo("busy");
        assertThat(best("", new LiveLoad(new LoadScore.Spread()))).isEqualTo("empty");
        cluster.table.nodeGone("empty");
        assertThat(best("", new LiveLoad(new LoadScore.Spread()))).isEqualTo("idle");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        a taint to avoid  | 'tolerations':[] | b
        two, and one tolerated | 'tolerations':[{'key':'k','operator':'Exists'}] | b
        all are tolerated | 'tolerations':[{'operator':'Exists'}] | a
        a preferred label | 'tolerations':[{'operator':'Exists'}],'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':1,'preference':{'matchExpressions':[{'key':'zone','operator':'In','values':['2']}]}}]} | c
        near some pods    | 'tolerations':[{'operator':'Exists'}],'preferredPodAffinity':[{'weight':1,'podAffinityTerm':{'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'x'}}}}] | c
        far from some     | 'tolerations':[{'operator':'Exists'}],'preferredPodAntiAffinity':[{'weight':1,'podAffinityTerm':{'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'y'}}}}] | c
        drawn by others   | 'tolerations':[{'operator':'Exists'}],'labels':{'drawn':'yes'} | c
        spread evenly     | 'tolerations':[{'operator':'Exists'}],'topologySpreadConstraints':[{'whenUnsatisfiable':'ScheduleAnyway','maxSkew':1,'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'y'}}}] | c
        """)
    void eachPreferenceCountsMoreThanRoom(String rule, String pod, String expected) {
        node(
                "a",
                "'labels':{'zone':'1'},'taints':[{'key':'k','effect':'PreferNoSchedule'},{'key':'l','effect':'PreferNoSchedule'}]",
                2_000);
        node("b", "'labels':{'zone':'1'}", 1_000);
        node("c", "'labels':{'zone':'2'},'taints':[{'key':'l','effect':'PreferNoSchedule'}]", 0);
        cluster.placed("one", "a", "'labels':{'app':'y'}")
                .placed("two", "b", "'labels':{'app':'y'}")
                .placed(
                        "three",
                        "c",
                        "'labels':{'app':'x'},'preferredPodAffinity':[{'weight':9,'podAffinityTerm':{'topologyKey':'zone',"
                            + "'labelSelector':{'matchLabels':{'drawn':'yes'}}}}]");
        assertThat(best(pod, RESERVED)).isEqualTo(expected);
    }

    @Test
    void roomThatIsKeptIsOnlyForItsPodAndForThoseOfAHigherPriority() {
        var rules = SchedulingRules.withLedger();
        var large = new KeptRoom("a", "uid-large", "ns/large", new Resources(1_950, 10), 5);
        node("a", "", 2_000, List.of(large));
        var same = new PendingPod(Cluster.pod("same", "'priority':5"), new Resources(100, 100));
        assertThat(rules.fitting(same, cluster.table).isEmpty()).isTrue();
        assertThat(rules.reason(same, cluster.table))
                .isEqualTo("0/1 nodes are available: 1 with room that is kept for ns/large, which waits longer");
        var beside = new PendingPod(Cluster.pod("same", ""), new Resources(50, 100));
        assertThat(rules.fitting(beside, cluster.table).isEmpty()).isFalse();
        var higher = new PendingPod(Cluster.pod("higher", "'priority':6"), new Resources(100, 100));
        assertThat(rules.fitting(higher, cluster.table).isEmpty()).isFalse();
        var itself = new PendingPod(Cluster.pod("large", "'priority':5"), new Resources(1_950, 10));
        assertThat(rules.fitting(itself, cluster.table).isEmpty()).isFalse();
        node("a", "", 2_000);
        assertThat(rules.fitting(same, cluster.table).isEmpty()).isFalse();
    }
}
