package io.sluice.placement.core.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.SpecReader;
import io.sluice.shell.load.NodeUse;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulingRulesTest {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

    private static Set<String> names(String words) {
        return words == null ? Set.of() : Set.of(words.split(" "));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        In                     | {'key':'disk','operator':'In','values':['ssd']}          | a
        In with two            | {'key':'disk','operator':'In','values':['ssd','hdd']}    | a b
        NotIn                  | {'key':'disk','operator':'NotIn','values':['ssd']}       | b c
        Exists                 | {'key':'disk','operator':'Exists'}                       | a b
        DoesNotExist           | {'key':'disk','operator':'DoesNotExist'}                 | c
        Gt                     | {'key':'cores','operator':'Gt','values':['8']}           | b
        Gt of an equal number  | {'key':'cores','operator':'Gt','values':['16']}          |
        Lt                     | {'key':'cores','operator':'Lt','values':['16']}          | a
        Lt of no number        | {'key':'disk','operator':'Lt','values':['16']}           |
        In of an unknown label | {'key':'none','operator':'In','values':['16']}           |
        NotIn of an unknown    | {'key':'none','operator':'NotIn','values':['16']}        | a b c
        """)
    void comparesNodeLabels(String operator, String expression, String expected) {
        var cluster = new Cluster()
                .labelled("a", "'disk':'ssd','cores':'8'")
                .labelled("b", "'disk':'hdd','cores':'16'")
                .labelled("c", "");
        assertThat(cluster.fitting("'nodeAffinity':{'" + REQUIRED + "':{'nodeSelectorTerms':[{'matchExpressions':["
                        + expression + "]}]}}"))
                .isEqualTo(names(expected));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        one term of several   | {'matchExpressions':[{'key':'disk','operator':'In','values':['ssd']}]},{'matchFields':[{'key':'metadata.name','operator':'In','values':['c']}]} | a c
        all of a term         | {'matchExpressions':[{'key':'disk','operator':'Exists'}],'matchFields':[{'key':'metadata.name','operator':'NotIn','values':['a']}]} | b
        two names             | {'matchFields':[{'key':'metadata.name','operator':'In','values':['a']},{'key':'metadata.name','operator':'In','values':['b']}]} |
        an empty term         | {} |
        an empty and another  | {},{'matchExpressions':[{'key':'disk','operator':'DoesNotExist'}]} | c
        """)
    void combinesTermsOfNodeAffinity(String rule, String terms, String expected) {
        var cluster = new Cluster()
                .labelled("a", "'disk':'ssd'")
                .labelled("b", "'disk':'hdd'")
                .labelled("c", "");
        assertThat(cluster.fitting("'nodeAffinity':{'" + REQUIRED + "':{'nodeSelectorTerms':[" + terms + "]}}"))
                .isEqualTo(names(expected));
    }

    @Test
    void nodeSelectorAndAffinityMustBothBeMet() {
        var cluster = new Cluster().labelled("a", "'disk':'ssd','zone':'1'").labelled("b", "'disk':'ssd'");
        assertThat(cluster.fitting("'nodeSelector':{'disk':'ssd'}")).isEqualTo(Set.of("a", "b"));
        assertThat(cluster.fitting("'nodeSelector':{'disk':'ssd'},'nodeAffinity':{'" + REQUIRED
                        + "':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'zone','operator':'Exists'}]}]}}"))
                .isEqualTo(Set.of("a"));
        assertThat(cluster.reason("'nodeSelector':{'disk':'tape'}"))
                .isEqualTo("0/2 nodes are available: 2 not allowed by the pod's node selector or affinity");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        none                    |                                                                 | free soft
        Equal                   | {'key':'k','value':'7','effect':'NoSchedule'}                   | free soft seven
        Equal of another value  | {'key':'k','value':'8','effect':'NoSchedule'}                   | free soft
        Equal of another effect | {'key':'k','value':'7','effect':'NoExecute'}                    | free soft
        any effect              | {'key':'k','operator':'Exists'}                                 | free soft seven run
        all                     | {'operator':'Exists'}                                           | free soft seven run cordoned
        all of an effect        | {'operator':'Exists','effect':'NoExecute'}                      | free soft run
        Lt                      | {'key':'k','operator':'Lt','value':'8','effect':'NoSchedule'}   | free soft seven
        Lt of an equal number   | {'key':'k','operator':'Lt','value':'7','effect':'NoSchedule'}   | free soft
        Gt                      | {'key':'k','operator':'Gt','value':'6','effect':'NoSchedule'}   | free soft seven
        Gt of no number         | {'key':'k','operator':'Gt','value':'06','effect':'NoSchedule'}  | free soft
        cordoned                | {'key':'node.kubernetes.io/unschedulable','operator':'Exists'}  | free soft cordoned
        """)
    void excludesTaintsThatAreNotTolerated(String toleration, String json, String expected) {
        var cluster = new Cluster()
                .node("free", "")
                .node("soft", "'taints':[{'key':'s','effect':'PreferNoSchedule'}]")
                .node("seven", "'taints':[{'key':'k','value':'7','effect':'NoSchedule'}]")
                .node("run", "'taints':[{'key':'k','value':'x','effect':'NoExecute'}]")
                .node("cordoned", "'unschedulable':true");
        assertThat(cluster.fitting("'tolerations':[" + (json == null ? "" : json) + "]"))
                .isEqualTo(names(expected));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        nothing requested       | {}                             | half empty
        exactly the rest        | {'cpu':2000}                   | half empty
        more than the rest      | {'cpu':2001}                   | empty
        more than any node      | {'cpu':4001}                   |
        an extended resource    | {'example.com/gpu':1}          | empty
        too much of it          | {'example.com/gpu':2}          |
        nothing of an unknown   | {'example.com/none':0}         | half empty
        some of an unknown      | {'example.com/none':1}         |
        """)
    void excludesNodesThatAreShort(String request, String requests, String expected) {
        var cluster = new Cluster()
                .node("half", "'allocatable':{'cpu':4000,'pods':3,'example.com/gpu':1}")
                .node("empty", "'allocatable':{'cpu':4000,'pods':1,'example.com/gpu':1}")
                .node("crowded", "'allocatable':{'cpu':4000,'pods':1}")
                .placed("one", "half", "'requests':{'cpu':1500,'example.com/gpu':1}")
                .placed("two", "half", "'requests':{'cpu':500}")
                .placed("three", "crowded", "");
        assertThat(cluster.fitting("'requests':" + requests)).isEqualTo(names(expected));
    }

    @Test
    void namesWhatNodesAreShortOf() {
        var cluster = new Cluster()
                .node("a", "")
                .node("b", "")
                .node("c", "'taints':[{'key':'k','effect':'NoSchedule'}]")
                .node("d", "'unschedulable':true")
                .placed("one", "a", "'requests':{'cpu':3000}")
                .placed("two", "b", "'requests':{'cpu':3500}");
        assertThat(cluster.reason("'requests':{'cpu':1250}"))
                .isEqualTo("0/4 nodes are available: 2 short of CPU by 250m or more, 1 cordoned, 1 tainted");
        assertThat(cluster.reason("'requests':{'cpu':100,'example.com/gpu':2},'tolerations':[{'operator':'Exists'}]"))
                .isEqualTo("0/4 nodes are available: 4 short of example.com/gpu by 2 or more");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        all addresses            | {'hostPort':80}                                       | free udp
        another port             | {'hostPort':81}                                       | all free one udp
        another protocol         | {'hostPort':80,'protocol':'UDP'}                      | all free one
        the same address         | {'hostPort':80,'hostIP':'10.0.0.1'}                   | free udp
        another address          | {'hostPort':80,'hostIP':'10.0.0.2'}                   | free one udp
        0.0.0.0                  | {'hostPort':80,'hostIP':'0.0.0.0'}                    | free udp
        """)
    void excludesPortsInUse(String port, String json, String expected) {
        var cluster = new Cluster()
                .node("free", "")
                .node("all", "")
                .node("one", "")
                .node("udp", "")
                .placed("p", "all", "'hostPorts':[{'hostPort':80,'protocol':'TCP'}]")
                .placed("q", "one", "'hostPorts':[{'hostPort':80,'hostIP':'10.0.0.1'}]")
                .placed("r", "udp", "'hostPorts':[{'hostPort':80,'protocol':'UDP'}]");
        assertThat(cluster.fitting("'hostPorts':[" + json + "]")).isEqualTo(names(expected));
        cluster.table.podGone("uid-p");
        cluster.table.podGone("uid-q");
        cluster.table.podGone("uid-r");
        assertThat(cluster.fitting("'hostPorts':[" + json + "]")).hasSize(4);
    }

    private static Cluster zones() {
        return new Cluster()
                .labelled("a1", "'zone':'a','host':'a1'")
                .labelled("a2", "'zone':'a','host':'a2'")
                .labelled("b1", "'zone':'b','host':'b1','disk':'ssd'")
                .node("b2", "'labels':{'zone':'b','host':'b2'},'taints':[{'key':'k','effect':'NoSchedule'}]")
                .labelled("none", "")
                .placed("db", "a1", "'labels':{'app':'db','v':'1'}")
                .placed("web", "b1", "'labels':{'app':'web'}");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        near in the zone     | {'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}}}                          | a1 a2
        near on the host     | {'topologyKey':'host','labelSelector':{'matchLabels':{'app':'db'}}}                          | a1
        two labels           | {'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db','v':'2'}}}                  |
        an expression        | {'topologyKey':'zone','labelSelector':{'matchExpressions':[{'key':'v','operator':'Exists'}]}} | a1 a2
        another namespace    | {'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}},'namespaces':['other']}   |
        a label's namespaces | {'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}},'namespaceSelector':{'matchLabels':{'team':'x'}}} | a1 a2
        other namespaces     | {'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}},'namespaceSelector':{'matchLabels':{'team':'y'}}} |
        all namespaces       | {'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}},'namespaceSelector':{}}    | a1 a2
        no selector          | {'topologyKey':'zone'}                                                                       |
        both terms           | {'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}}},{'topologyKey':'host','labelSelector':{'matchLabels':{'v':'1'}}} | a1
        not one pod for both | {'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}}},{'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'web'}}} |
        its own kind alone   | {'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'new'}}}                         | a1 a2 b1
        """)
    void staysNearOtherPods(String rule, String terms, String expected) {
        var cluster = zones();
        cluster.table.namespace("default", Map.of("team", "x"));
        assertThat(cluster.fitting("'labels':{'app':'new'},'podAffinity':[" + terms + "]"))
                .isEqualTo(names(expected));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        the zone           | {'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}}} | b1 none
        the host           | {'topologyKey':'host','labelSelector':{'matchLabels':{'app':'db'}}} | a2 b1 none
        everything         | {'topologyKey':'zone','labelSelector':{}}                           | none
        a missing domain   | {'topologyKey':'rack','labelSelector':{'matchLabels':{'app':'db'}}} | a1 a2 b1 none
        another namespace  | {'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}},'namespaces':['other']} | a1 a2 b1 none
        """)
    void keepsAwayFromOtherPodsAndTheyFromIt(String rule, String term, String expected) {
        assertThat(zones().fitting("'podAntiAffinity':[" + term + "]")).isEqualTo(names(expected));
        // The same rule from the other side: pods that are there keep away from a new one like the first.
        var cluster = zones();
        cluster.table.podGone("uid-db");
        cluster.table.podGone("uid-web");
        cluster.placed("db", "a1", "'podAntiAffinity':[" + term + "]");
        if (rule.equals("everything")) {
            cluster.placed("web", "b1", "'podAntiAffinity':[" + term + "]");
        }
        assertThat(cluster.fitting("'labels':{'app':'db'}")).isEqualTo(names(expected));
        cluster.table.podGone("uid-db");
        cluster.table.podGone("uid-web");
        assertThat(cluster.fitting("'labels':{'app':'db'}")).hasSize(4);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        the fewest in a zone       | 'maxSkew':1,'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}} | b1
        a larger skew              | 'maxSkew':2,'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}} | a1 a2 b1
        on hosts                   | 'maxSkew':1,'topologyKey':'host','labelSelector':{'matchLabels':{'app':'db'}} | a2 b1
        others' pods               | 'maxSkew':1,'topologyKey':'host','labelSelector':{'matchLabels':{'app':'web'}} | a1 a2 b1
        all pods are none          | 'maxSkew':1,'topologyKey':'host','labelSelector':{}                          | a1 a2 b1
        too few domains            | 'maxSkew':1,'minDomains':3,'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}} | b1
        enough domains             | 'maxSkew':1,'minDomains':2,'topologyKey':'zone','labelSelector':{'matchLabels':{'tier':'x'}} | a1 a2 b1
        a matched label's value    | 'maxSkew':1,'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'db'}},'matchLabelKeys':['v'] | a1 a2 b1
        nodes that have no domain  | 'maxSkew':5,'topologyKey':'rack','labelSelector':{'matchLabels':{'app':'db'}} |
        """)
    void spreadsPods(String rule, String constraint, String expected) {
        assertThat(zones().fitting("'labels':{'app':'db','v':'2'},'topologySpreadConstraints':[{"
                        + "'whenUnsatisfiable':'DoNotSchedule'," + constraint + "}]"))
                .isEqualTo(names(expected));
    }

    @Test
    void countsOnlyNodesThatTheSpreadsPoliciesInclude() {
        var spread =
                "'labels':{'app':'db'},'topologySpreadConstraints':[{'whenUnsatisfiable':'DoNotSchedule','maxSkew':1,"
                        + "'topologyKey':'host','labelSelector':{'matchLabels':{'app':'db'}}%s}]%s";
        var cluster = zones().placed("db2", "a2", "'labels':{'app':'db'}").placed("db3", "b1", "'labels':{'app':'db'}");
        assertThat(cluster.fitting(spread.formatted("", ""))).isEmpty();
        assertThat(cluster.fitting(spread.formatted(",'nodeTaintsPolicy':'Honor'", "")))
                .isEqualTo(Set.of("a1", "a2", "b1"));
        var ssd = ",'nodeSelector':{'disk':'ssd'}";
        assertThat(cluster.fitting(spread.formatted("", ssd))).isEqualTo(Set.of("b1"));
        assertThat(cluster.fitting(spread.formatted(",'nodeAffinityPolicy':'Ignore'", ssd)))
                .isEmpty();
    }

    @Test
    void podsThatAreBeingDeletedDoNotCountForSpreadAndCountForAffinity() {
        var cluster = zones().placed("db", "a1", "'labels':{'app':'db'},'terminating':true");
        assertThat(cluster.fitting("'labels':{'app':'db'},'topologySpreadConstraints':[{"
                        + "'whenUnsatisfiable':'DoNotSchedule','maxSkew':1,'topologyKey':'zone',"
                        + "'labelSelector':{'matchLabels':{'app':'db'}}}]"))
                .isEqualTo(Set.of("a1", "a2", "b1"));
        assertThat(cluster.fitting(
                        "'podAffinity':[{'topologyKey':'host','labelSelector':{'matchLabels':{'app':'db'}}}]"))
                .isEqualTo(Set.of("a1"));
    }

    private static Cluster withVolumes() {
        var cluster = new Cluster()
                .labelled("a", "'topology.kubernetes.io/zone':'a'")
                .labelled("b", "'topology.kubernetes.io/zone':'b'")
                .labelled("none", "");
        volume(cluster, "zonal", "'labels':{'topology.kubernetes.io/zone':'a'}");
        volume(cluster, "old", "'labels':{'failure-domain.beta.kubernetes.io/zone':'a__b'}");
        volume(cluster, "free", "");
        volume(
                cluster,
                "pinned",
                "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':[{'key':"
                        + "'topology.kubernetes.io/zone','operator':'In','values':['b']}]}]}}");
        return cluster;
    }

    private static void volume(Cluster cluster, String name, String more) {
        cluster.table.observed(SpecReader.volume(
                Cluster.json("{'name':'v-" + name + "','driver':'csi','volumeHandle':'" + name + "'"
                        + (more.isEmpty() ? "" : "," + more) + "}"),
                1));
        claim(cluster, name, "'volumeName':'v-" + name + "'");
    }

    private static void claim(Cluster cluster, String name, String more) {
        cluster.table.observed(SpecReader.claim(
                Cluster.json("{'namespace':'default','name':'" + name + "'" + (more.isEmpty() ? "" : "," + more) + "}"),
                7));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        zonal  | a none
        old    | a b none
        free   | a b none
        pinned | b
        """)
    void staysInReachOfVolumes(String claim, String expected) {
        assertThat(withVolumes().fitting("'claims':['" + claim + "']")).isEqualTo(names(expected));
    }

    @Test
    void attachesNoMoreVolumesThanANodeCan() {
        var cluster = withVolumes();
        cluster.table.attachLimits("a", Map.of("csi", 1));
        cluster.table.attachLimits("b", Map.of("other", 0));
        assertThat(cluster.fitting("'claims':['free']")).isEqualTo(Set.of("a", "b", "none"));
        assertThat(cluster.fitting("'claims':['free','old']")).isEqualTo(Set.of("b", "none"));
        cluster.placed("one", "a", "'claims':['free']");
        assertThat(cluster.fitting("'claims':['free']")).isEqualTo(Set.of("a", "b", "none"));
        assertThat(cluster.fitting("'claims':['old']")).isEqualTo(Set.of("b", "none"));
        cluster.table.podGone("uid-one");
        assertThat(cluster.fitting("'claims':['old']")).isEqualTo(Set.of("a", "b", "none"));
        cluster.table.observed(SpecReader.attachment(
                Cluster.json("{'name':'x','nodeName':'a','attacher':'csi','persistentVolumeName':'v-zonal'}")));
        assertThat(cluster.fitting("'claims':['old']")).isEqualTo(Set.of("b", "none"));
        cluster.table.attachmentGone("x");
        assertThat(cluster.fitting("'claims':['old']")).isEqualTo(Set.of("a", "b", "none"));
    }

    @Test
    void refusesClaimsThatCannotBeUsed() {
        var cluster = withVolumes();
        claim(cluster, "lost", "'volumeName':'v-free','phase':'Lost'");
        claim(cluster, "ending", "'volumeName':'v-free','terminating':true");
        claim(cluster, "unbound", "");
        claim(cluster, "dangling", "'volumeName':'v-none'");
        claim(cluster, "single", "'volumeName':'v-free','accessModes':['ReadWriteOncePod']");
        assertThat(cluster.fitting("'claims':['single']")).hasSize(3);
        cluster.placed("one", "a", "'claims':['single']");
        for (var refused : new String[][] {
            {"lost", "has lost its volume"},
            {"ending", "is being deleted"},
            {"unbound", "has no volume yet"},
            {"dangling", "does not exist"},
            {"missing", "does not exist"},
            {"single", "is for one pod, and another pod uses it"}
        }) {
            var pod = "'claims':['" + refused[0] + "']";
            assertThat(cluster.fitting(pod)).isEmpty();
            assertThat(cluster.reason(pod))
                    .startsWith("0/3 nodes are available: volume")
                    .contains(refused[1]);
        }
    }

    @Test
    void refusesResourceClaimsByName() {
        assertThat(new Cluster().node("a", "").reason("'resourceClaims':['gpu']"))
                .isEqualTo("0/1 nodes are available: resource claims are not supported: gpu");
    }

    @Test
    void addsTheLedgersRoomAndChoosesTheBestNode() {
        var cluster = new Cluster()
                .node("empty", "")
                .node("used", "")
                .node("full", "")
                .node("away", "")
                .labelled("wished", "'disk':'ssd'");
        var total = new Resources(4000, 4000);
        for (var sums : new Object[][] {{"empty", 0}, {"used", 2000}, {"full", 3500}, {"wished", 0}}) {
            long used = (int) sums[1];
            cluster.table.observed(new NodeSnapshot(
                    (String) sums[0],
                    true,
                    NodeReadiness.READY,
                    total,
                    total,
                    new Resources(used, used),
                    NodeUse.NONE,
                    List.of(),
                    FixedAmounts.NONE,
                    FixedAmounts.NONE));
        }
        var rules = SchedulingRules.withLedger();
        var share = new ReservedShare(0.5, 0.8, 0);
        var pod = new PendingPod(Cluster.pod("new", ""), new Resources(1000, 1000));
        var fitting = rules.fitting(pod, cluster.table);
        assertThat(fitting.stream().mapToObj(cluster.table::name)).containsExactly("empty", "used", "wished");
        assertThat(cluster.table.name(SchedulingRules.best(pod, cluster.table, fitting, share)))
                .isEqualTo("used");
        var wishing = new PendingPod(
                Cluster.pod(
                        "new",
                        "'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':5,'preference':"
                                + "{'matchExpressions':[{'key':'disk','operator':'Exists'}]}}]}"),
                new Resources(1000, 1000));
        assertThat(cluster.table.name(SchedulingRules.best(wishing, cluster.table, fitting, share)))
                .isEqualTo("wished");
        var large = new PendingPod(Cluster.pod("new", ""), new Resources(4250, 1000));
        assertThat(rules.reason(large, cluster.table))
                .isEqualTo("0/5 nodes are available: 3 short of CPU by 250m or more in the ledger, 1 short of CPU by"
                        + " 3750m and memory by 500 or more in the ledger, 1 without a complete ledger");
    }
}
