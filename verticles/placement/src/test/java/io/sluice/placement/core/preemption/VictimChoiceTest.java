package io.sluice.placement.core.preemption;

import static io.sluice.placement.core.Given.cpus;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.placement.core.Given;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.rules.Cluster;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.DisruptionBudget;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.spec.SpecReader;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes have 4 CPUs and 10 pods at most, and more in the ledger unless a test says otherwise. */
class VictimChoiceTest {
    private static final double PLENTY = 1_000;

    private final Cluster cluster = new Cluster();
    private final VictimChoice choice = new VictimChoice(cluster.table);
    private final List<DisruptionBudget> budgets = new ArrayList<>();
    private final Map<String, Resources> charges = new HashMap<>();

    private void node(String name) {
        cluster.node(name, "'labels':{'host':'" + name + "'}");
        ledger(name, PLENTY, 0);
    }

    private void ledger(String name, double total, double reserved) {
        cluster.table.observed(NodeSnapshot.of(Given.node(name, total, reserved)));
    }

    private void placed(String name, String node, String priority, String cpu, String more) {
        cluster.placed(
                name,
                node,
                "'priority':" + priority + ",'requests':{'cpu':" + cpu + "}" + (more.isEmpty() ? "" : "," + more));
    }

    /** Pods on a node, each as priority, milli-CPU, start and maybe more in one word each. */
    private void filled(String node, String pods) {
        node(node);
        int number = 0;
        for (var pod : pods.strip().split(" ")) {
            var words = pod.split("/");
            placed(
                    node + number++,
                    node,
                    words[0],
                    words[1],
                    "'startTime':'2026-01-01T00:00:" + words[2] + "Z','labels':{'app':'"
                            + (words.length > 3 ? words[3] : "free") + "'}");
        }
    }

    private void budget(String app, int allowed) {
        budgets.add(SpecReader.budget(Cluster.json("{'namespace':'default','name':'" + app
                + "','selector':{'matchLabels':{'app':'" + app + "'}},'disruptionsAllowed':" + allowed + "}")));
    }

    private static PendingPod urgent(String cpu) {
        return urgent(cpu, "", Resources.NONE);
    }

    private static PendingPod urgent(String cpu, String more, Resources charge) {
        return new PendingPod(
                Cluster.pod(
                        "urgent", "'priority':100,'requests':{'cpu':" + cpu + "}" + (more.isEmpty() ? "" : "," + more)),
                charge);
    }

    private Optional<Victims> choose(PendingPod pod) {
        return choice.choose(pod, budgets, charges, choice.candidates(pod, false, 0, 100));
    }

    private String chosen(PendingPod pod) {
        return choose(pod)
                .map(victims -> victims.node() + ":"
                        + victims.pods().stream()
                                .map(victim -> victim.id().name())
                                .collect(Collectors.joining(" ")))
                .orElse("none");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        only as many as needed              | 10/1000/01 10/1000/02 10/1000/03 10/1000/04 | 1000 | a3
        lower priority before higher        | 30/2000/01 20/2000/02                       | 1000 | a1
        the same in another order           | 20/2000/01 30/2000/02                       | 1000 | a0
        a later start before an earlier one | 10/2000/09 10/2000/08                       | 2000 | a0
        two small ones, as the higher stays | 30/2000/01 10/1000/02 10/1000/03            | 2000 | a1 a2
        one large one, as the higher stays  | 10/2000/01 30/1000/02 30/1000/03            | 2000 | a0
        all                                 | 30/2000/01 10/2000/02                       | 4000 | a0 a1
        """)
    void reprievesAsManyAsPossibleFromTheMostImportantOn(String what, String pods, String cpu, String victims) {
        filled("a", pods);
        assertThat(chosen(urgent(cpu))).isEqualTo("a:" + victims);
    }

    @Test
    void evictsNoPodOfEqualOrHigherPriority() {
        filled("a", "100/2000/01 101/2000/02");
        assertThat(chosen(urgent("1000"))).isEqualTo("none");
        filled("b", "99/2000/01 101/2000/02");
        assertThat(chosen(urgent("1000"))).isEqualTo("b:b0");
        assertThat(chosen(urgent("3000"))).as("the higher one stays").isEqualTo("none");
    }

    @Test
    void reprievesFirstThoseThatABudgetProtects() {
        filled("a", "30/2000/01 10/2000/02/db");
        assertThat(chosen(urgent("2000"))).isEqualTo("a:a1");
        budget("db", 0);
        assertThat(chosen(urgent("2000"))).isEqualTo("a:a0");
        assertThat(choose(urgent("4000")).orElseThrow().overBudget()).containsExactly("uid-a1");
        assertThat(choose(urgent("4000")).orElseThrow().toEvict())
                .extracting(PodSpec::uid)
                .as("a budget may refuse this one, and then the other is not evicted in vain")
                .containsExactly("uid-a1", "uid-a0");
    }

    @Test
    void countsHowManyABudgetAllows() {
        filled("a", "10/2000/01/db 10/2000/02/db");
        budget("db", 1);
        assertThat(choose(urgent("4000")).orElseThrow().overBudget())
                .as("one is allowed: the first")
                .containsExactly("uid-a1");
        budgets.clear();
        budget("db", 2);
        assertThat(choose(urgent("4000")).orElseThrow().overBudget()).isEmpty();
    }

    @Test
    void countsNoBudgetForPodsThatItDoesNotSelectOrThatAreBeingEvicted() {
        filled("a", "10/4000/01/db");
        for (var budget : List.of(
                "'namespace':'other','selector':{'matchLabels':{'app':'db'}}",
                "'namespace':'default','selector':{'matchLabels':{'app':'web'}}",
                "'namespace':'default','selector':{}",
                "'namespace':'default'",
                "'namespace':'default','selector':{'matchLabels':{'app':'db'}},'disruptedPods':['a0']")) {
            budgets.clear();
            budgets.add(SpecReader.budget(Cluster.json("{'name':'x','disruptionsAllowed':0," + budget + "}")));
            assertThat(choose(urgent("4000")).orElseThrow().overBudget())
                    .as(budget)
                    .isEmpty();
        }
    }

    @Test
    void namesTheBudgetThatDoesNotAllowAllEvictionsTogether() {
        filled("a", "10/2000/01/db 10/2000/02/db");
        var both = choose(urgent("4000")).orElseThrow().toEvict();
        budget("db", 2);
        assertThat(Victims.refusal(both, budgets)).isEmpty();
        budget("db", 1);
        assertThat(Victims.refusal(both.subList(0, 1), budgets)).isEmpty();
        assertThat(Victims.refusal(both, budgets))
                .contains("the disruption budget default/db allows 1 of 2 evictions: default/a0, default/a1");

        budgets.clear();
        budgets.add(SpecReader.budget(
                Cluster.json("{'namespace':'default','name':'all','selector':{},'disruptionsAllowed':0}")));
        assertThat(Victims.refusal(both, budgets))
                .as("the Eviction API obeys it, as kube-scheduler does not")
                .contains("the disruption budget default/all allows 0 of 2 evictions: default/a0, default/a1");
    }

    /** The first node is better in each row; each is tried under both names, as names decide last. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        fewer evictions against a budget            | 50/4000/01            | 10/4000/02/db
        a lower highest priority                    | 10/2000/01 10/2000/02 | 11/4000/03
        a lower sum of priorities                   | 10/2000/01 8/2000/09  | 10/2000/09 9/2000/01
        fewer pods, of negative priorities too      | -1/4000/01            | -1/2000/09 -2147483648/2000/09
        a later start of the highest                | 10/2000/05 10/2000/09 | 10/2000/04 10/2000/09
        the lower priorities' starts do not matter  | 10/2000/05 9/2000/01  | 10/2000/04 9/2000/09
        """)
    void choosesTheNodeByKubeSchedulersCriteria(String criterion, String better, String worse) {
        for (var names : List.of(List.of("a", "b"), List.of("b", "a"))) {
            var test = new VictimChoiceTest();
            test.budget("db", 0);
            test.filled(names.get(0), better);
            test.filled(names.get(1), worse);
            assertThat(test.chosen(urgent("4000"))).as("of %s", names).startsWith(names.get(0) + ":");
        }
    }

    @Test
    void obeysTheOtherRulesToo() {
        filled("a", "10/100/01");
        placed("port", "a", "20", "100", "'hostPorts':[{'hostPort':80}]");
        assertThat(chosen(urgent("100", "'hostPorts':[{'hostPort':80}]", Resources.NONE)))
                .isEqualTo("a:port");
        assertThat(chosen(urgent("4000", "'nodeSelector':{'disk':'ssd'}", Resources.NONE)))
                .as("no eviction changes labels")
                .isEqualTo("none");
        var apart = "'podAntiAffinity':[{'topologyKey':'host','labelSelector':{'matchLabels':{'app':'free'}}}]";
        assertThat(chosen(urgent("100", apart, Resources.NONE))).isEqualTo("a:a0");
    }

    @Test
    void makesRoomInTheLedgerByWhatItCounts() {
        filled("a", "10/100/01 20/100/02");
        ledger("a", 10, 9);
        charges.putAll(Map.of("uid-a0", cpus(1), "uid-a1", cpus(6)));
        assertThat(chosen(urgent("100", "", cpus(1)))).as("it fits").isEqualTo("none");
        assertThat(chosen(urgent("100", "", cpus(2)))).isEqualTo("a:a0");
        assertThat(chosen(urgent("100", "", cpus(5)))).isEqualTo("a:a1");
        assertThat(chosen(urgent("100", "", cpus(8)))).isEqualTo("a:a1 a0");
        assertThat(chosen(urgent("100", "", cpus(9))))
                .as("what pods of no lower priority hold stays")
                .isEqualTo("none");
    }

    @Test
    void whereOnlyTheLedgerCountsItLeavesOtherNodesToTheirScheduler() {
        filled("a", "10/4000/01");
        filled("b", "10/1000/01");
        ledger("a", 10, 10);
        ledger("b", 10, 10);
        var pod = urgent("2000", "", cpus(1));
        assertThat(choice.candidates(pod, false, 0, 10)).containsExactly("a", "b");
        assertThat(choice.candidates(pod, true, 0, 10)).containsExactly("b");
        assertThat(choice.candidates(pod, false, 1, 10))
                .as("each attempt begins elsewhere")
                .containsExactly("b", "a");
        assertThat(choice.candidates(pod, false, 0, 1)).containsExactly("a");
    }

    @Test
    void nodesWithoutALedgerOrWithoutVictimsAreNoCandidates() {
        filled("a", "10/4000/01");
        cluster.node("empty", "");
        ledger("empty", 0, 0);
        cluster.node("unknown", "").placed("x", "unknown", "'priority':1,'requests':{'cpu':4000}");
        assertThat(choice.candidates(urgent("2000"), false, 0, 10)).containsExactly("a");
    }

    @Test
    void waitsForVictimsThatStillEndAndForThePolicyNever() {
        filled("a", "10/4000/01");
        assertThat(choice.obstacle(urgent("1000"))).isEmpty();
        assertThat(choice.obstacle(urgent("1000", "'preemptionPolicy':'Never'", Resources.NONE)))
                .contains("its preemption policy is Never");
        var nominated = urgent("1000", "'nominatedNodeName':'a'", Resources.NONE);
        assertThat(choice.obstacle(nominated)).as("nothing ends there").isEmpty();
        placed("ending", "a", "10", "0", "'terminating':true");
        assertThat(choice.obstacle(nominated))
                .contains("pod default/ending of lower priority is being deleted on node a");
        assertThat(choice.obstacle(urgent("1000"))).as("not nominated there").isEmpty();
        cluster.node("a", "'taints':[{'key':'node.kubernetes.io/unreachable','effect':'NoExecute'}]");
        assertThat(choice.obstacle(nominated))
                .as("it may never end there, and the node takes the pod no more")
                .isEmpty();
        node("a");
        cluster.table.podGone("uid-ending");
        placed("ending", "a", "100", "0", "'terminating':true");
        assertThat(choice.obstacle(nominated)).as("of equal priority").isEmpty();
    }

    @Test
    void namesFiveVictimsAtMost() {
        filled("a", "1/500/01 1/500/02 1/500/03 1/500/04 1/500/05 1/500/06 1/500/07 1/500/08");
        assertThat(Victims.names(choose(urgent("1000")).orElseThrow().pods())).isEqualTo("default/a6, default/a7");
        assertThat(Victims.names(choose(urgent("4000")).orElseThrow().pods()))
                .isEqualTo("default/a0, default/a1, default/a2, default/a3, default/a4 and 3 more");
    }

    @Test
    void aVictimThatIsBeingDeletedIsNotEvictedAgain() {
        filled("a", "20/2000/01");
        placed("ending", "a", "10", "2000", "'terminating':true");
        assertThat(chosen(urgent("2000"))).isEqualTo("a:ending");
        assertThat(choose(urgent("2000")).orElseThrow().toEvict()).isEmpty();
    }

    @Test
    void aNodeWhereAllVictimsAreBeingDeletedComesFirst() {
        filled("a", "1/4000/01");
        node("b");
        placed("ending", "b", "50", "4000", "'terminating':true");
        assertThat(chosen(urgent("2000"))).isEqualTo("b:ending");
        assertThat(chosen(urgent("2000", "'nodeSelector':{'host':'a'}", Resources.NONE)))
                .isEqualTo("a:a0");
    }

    @Test
    void roomThatIsMadeForAPodIsNotForPodsOfLowerPriority() {
        node("a");
        ledger("a", 10, 0);
        cluster.table.nominations().put(new PendingPod(urgent("3000").spec().on("a"), cpus(8)));
        var rules = SchedulingRules.withLedger();
        for (var expected : Map.of("99", false, "100", false, "101", true).entrySet()) {
            var byRequests = Cluster.pod("x", "'priority':" + expected.getKey() + ",'requests':{'cpu':2000}");
            var byLedger = Cluster.pod("x", "'priority':" + expected.getKey());
            assertThat(rules.fits(new PendingPod(byRequests, Resources.NONE), cluster.table, "a"))
                    .as(expected.getKey())
                    .isEqualTo(expected.getValue());
            assertThat(rules.fitting(new PendingPod(byLedger, cpus(3)), cluster.table)
                            .isEmpty())
                    .as(expected.getKey())
                    .isNotEqualTo(expected.getValue());
        }
        assertThat(rules.reason(new PendingPod(Cluster.pod("x", ""), cpus(3)), cluster.table))
                .isEqualTo("0/1 nodes are available: 1 with room that is meant for default/urgent");
        assertThat(rules.fits(new PendingPod(Cluster.pod("x", ""), cpus(2)), cluster.table, "a"))
                .as("beside it")
                .isTrue();
        assertThat(rules.fits(new PendingPod(urgent("4000").spec(), cpus(10)), cluster.table, "a"))
                .as("its own")
                .isTrue();
    }

    /** Seeded clusters: the pod fits without its victims, not with any one of them, and the table stays as it was. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void evictsEnoughAndNoPodInVain(long seed) {
        var random = new Random(seed);
        int chosen = 0;
        for (int round = 0; round < 60; round++) {
            var test = new VictimChoiceTest();
            test.fill(random);
            var pod = urgent(
                    String.valueOf(1_000 + random.nextInt(3_000)),
                    random.nextBoolean() ? "" : "'hostPorts':[{'hostPort':80}]",
                    cpus(1 + random.nextInt(6)));
            var before = test.fitting();
            var victims = test.choose(pod);
            assertThat(test.fitting()).as("seed %d round %d", seed, round).isEqualTo(before);
            if (victims.isPresent()) {
                chosen++;
                test.check(pod, victims.get());
            }
        }
        assertThat(chosen).isGreaterThan(20);
    }

    private void fill(Random random) {
        for (var name : List.of("a", "b", "c")) {
            node(name);
            double reserved = 0;
            for (int i = 0; i < 6; i++) {
                var pod = name + i;
                int charge = random.nextInt(3);
                reserved += charge;
                charges.put("uid-" + pod, cpus(charge));
                placed(
                        pod,
                        name,
                        String.valueOf(random.nextInt(130)),
                        String.valueOf(random.nextInt(1_000)),
                        "'labels':{'app':'" + (random.nextBoolean() ? "db" : "web") + "'}"
                                + (random.nextInt(4) == 0 ? ",'hostPorts':[{'hostPort':80}]" : ""));
            }
            ledger(name, 8, reserved);
        }
        budget("db", random.nextInt(4));
    }

    private List<Set<String>> fitting() {
        return Arrays.asList("'requests':{'cpu':500}", "'requests':{'cpu':2500}", "'hostPorts':[{'hostPort':80}]")
                .stream()
                .map(cluster::fitting)
                .toList();
    }

    private void check(PendingPod pod, Victims victims) {
        var rules = SchedulingRules.withLedger();
        assertThat(rules.fits(pod, cluster.table, victims.node())).isFalse();
        victims.pods().forEach(this::take);
        assertThat(rules.fits(pod, cluster.table, victims.node())).isTrue();
        for (var victim : victims.pods()) {
            assertThat(victim.priority()).isLessThan(pod.spec().priority());
            cluster.table.placed(victim);
            cluster.table.held(victim.node(), charges.get(victim.uid()));
            assertThat(rules.fits(pod, cluster.table, victims.node()))
                    .as("without %s", victim.label())
                    .isFalse();
            take(victim);
        }
    }

    private void take(PodSpec pod) {
        cluster.table.podGone(pod.uid());
        cluster.table.freed(pod.node(), charges.get(pod.uid()));
    }
}
