package io.sluice.placement.core.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.vm.ChooseVolume;
import io.sluice.placement.core.spec.SpecReader;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Claims that get their volume once their pod's node is chosen. */
class WaitingClaimsTest {
    private static final String POD = "'claims':['data']";

    private final Cluster cluster = new Cluster()
            .labelled("a", "'zone':'1'")
            .labelled("b", "'zone':'2'")
            .labelled("c", "'zone':'3'");

    WaitingClaimsTest() {
        storageClass(
                "made",
                "'provisioner':'csi','volumeBindingMode':'WaitForFirstConsumer','allowedTopologies':["
                        + "{'matchLabelExpressions':[{'key':'zone','values':['1','2']}]}]");
        storageClass(
                "local", "'provisioner':'kubernetes.io/no-provisioner','volumeBindingMode':'WaitForFirstConsumer'");
        storageClass("at-once", "'provisioner':'csi','volumeBindingMode':'Immediate'");
    }

    private void storageClass(String name, String more) {
        cluster.table.observed(SpecReader.storageClass(Cluster.json("{'name':'" + name + "'," + more + "}")));
    }

    private void claim(String name, String storageClass, String more) {
        cluster.table.observed(SpecReader.claim(
                Cluster.json("{'namespace':'default','name':'" + name + "','uid':'u-" + name + "','storageClassName':'"
                        + storageClass + "','accessModes':['ReadWriteOnce'],'requests':{'storage':100}" + more + "}"),
                7));
    }

    private void volume(String name, String zone, long bytes, String more) {
        cluster.table.observed(SpecReader.volume(
                Cluster.json("{'name':'" + name + "','storageClassName':'local','phase':'Available','accessModes':["
                        + "'ReadWriteOnce','ReadOnlyMany'],'capacity':{'storage':" + bytes
                        + "},'labels':{'disk':'ssd'},"
                        + "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'zone',"
                        + "'operator':'In','values':['" + zone + "']}]}]}}" + more + "}"),
                9));
    }

    private Optional<List<ChooseVolume>> choices(String pod, String node) {
        var spec = Cluster.pod("new", pod);
        int number = cluster.table.all().stream()
                .filter(each -> cluster.table.name(each).equals(node))
                .findFirst()
                .orElseThrow();
        return cluster.table.volumesFor(spec, number);
    }

    private static ChooseVolume choice(String claim, String node, String volume, long version) {
        return new ChooseVolume("default", claim, "u-" + claim, node, volume, version);
    }

    @Test
    void aVolumeIsMadeWhereTheTopologyOfItsClassAllows() {
        claim("data", "made", "");
        assertThat(cluster.fitting(POD)).isEqualTo(Set.of("a", "b"));
        assertThat(choices(POD, "b")).contains(List.of(choice("data", "b", "", 7)));
        assertThat(choices(POD, "c")).isEmpty();
        assertThat(cluster.table.awaitsVolumes(Cluster.pod("new", POD))).isTrue();
    }

    @Test
    void staysOnTheNodeForWhichAVolumeIsMadeUntilTheClaimIsBound() {
        claim("data", "made", ",'selectedNode':'b'");
        assertThat(cluster.fitting(POD)).isEqualTo(Set.of("b"));
        assertThat(choices(POD, "b")).contains(List.of());
        claim("data", "made", ",'volumeName':'new'");
        cluster.table.observed(SpecReader.volume(Cluster.json("{'name':'new','phase':'Bound'}"), 1));
        assertThat(cluster.table.awaitsVolumes(Cluster.pod("new", POD))).isFalse();
        assertThat(cluster.fitting(POD)).isEqualTo(Set.of("a", "b", "c"));
    }

    @Test
    void theSmallestVolumeThatSuitsIsReserved() {
        claim("data", "local", "");
        volume("small", "1", 99, "");
        volume("large", "1", 300, "");
        volume("fits", "1", 200, "");
        volume("far", "3", 100, "");
        volume("taken", "2", 100, ",'claimRef':{'namespace':'default','name':'other'}");
        assertThat(cluster.fitting(POD)).isEqualTo(Set.of("a", "c"));
        assertThat(choices(POD, "a")).contains(List.of(choice("data", "a", "fits", 9)));
        assertThat(choices(POD, "b")).isEmpty();

        volume("fits", "1", 200, ",'claimRef':{'namespace':'default','name':'data','uid':'u-data'}");
        assertThat(cluster.fitting(POD)).as("reserved").isEqualTo(Set.of("a"));
        assertThat(choices(POD, "a")).contains(List.of());
    }

    @Test
    void aVolumeMustMeetTheClaimsSelectorModesAndVolumeMode() {
        volume("only", "1", 300, "");
        claim("data", "local", ",'selector':{'matchLabels':{'disk':'ssd'}}");
        assertThat(cluster.fitting(POD)).isEqualTo(Set.of("a"));
        claim("data", "local", ",'selector':{'matchLabels':{'disk':'hdd'}}");
        assertThat(cluster.fitting(POD)).isEmpty();
        claim("data", "local", ",'volumeMode':'Block'");
        assertThat(cluster.fitting(POD)).isEmpty();
        assertThat(cluster.reason(POD)).isEqualTo("0/3 nodes are available: 3 out of reach of the pod's volumes");
    }

    @Test
    void twoClaimsOfAPodGetTwoVolumes() {
        claim("data", "local", "");
        claim("log", "local", "");
        var both = "'claims':['data','log']";
        volume("one", "1", 300, "");
        assertThat(choices(both, "a")).isEmpty();
        assertThat(cluster.reason(both)).isEqualTo("0/3 nodes are available: 3 out of reach of the pod's volumes");
        volume("two", "1", 200, "");
        assertThat(cluster.fitting(both)).isEqualTo(Set.of("a"));
        assertThat(choices(both, "a")).contains(List.of(choice("data", "a", "two", 9), choice("log", "a", "one", 9)));
    }

    @Test
    void aClaimOfAnotherClassIsAwaitedAndNotChosenFor() {
        claim("data", "at-once", "");
        assertThat(cluster.reason(POD)).endsWith("volume claim data has no volume yet");
        claim("data", "unknown", "");
        assertThat(cluster.fitting(POD)).isEmpty();
    }
}
