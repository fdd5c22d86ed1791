package io.sluice.neonvm.core.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodReaderTest {
    private static final String POD = """
        {"metadata":{"namespace":"ns","name":"p","uid":"u","resourceVersion":"5",
           "creationTimestamp":"1970-01-01T00:01:00Z"%s},
         "spec":{"nodeName":"%s","containers":[{"name":"a","resources":{"requests":{"cpu":"1","memory":"1Gi"}}}]},
         "status":{"phase":"%s"}}\
        """;
    private static final String VM_POD =
            ",\"labels\":{\"vm.neon.tech/name\":\"db\"},\"annotations\":{\"vm.neon.tech/usage\":\"%s\"}";

    @ParameterizedTest
    @CsvSource({
        "n1,Running,true",
        "n1,Pending,true",
        "n1,Unknown,true",
        "'',Pending,false",
        "n1,Succeeded,false",
        "n1,Failed,false"
    })
    void countsWhatIsBoundAndHasNotEnded(String node, String phase, boolean counts) {
        assertThat(PodReader.counts(pod("", node, phase))).isEqualTo(counts);
    }

    @Test
    void countsWhatIsOnItsWayOut() {
        assertThat(PodReader.counts(pod(",\"deletionTimestamp\":\"2026-11-21T00:00:00Z\"", "n1", "Running")))
                .isTrue();
    }

    @Test
    void ignoresPodsOfNamespacesThatAreNamedUnlessTheyRunAVm() {
        var runner = pod(VM_POD.formatted(""), "n1", "Running");

        assertThat(PodReader.isIgnored(pod("", "n1", "Running"), List.of("other", "ns")))
                .isTrue();
        assertThat(PodReader.isIgnored(pod("", "n1", "Running"), List.of("other")))
                .isFalse();
        assertThat(PodReader.isIgnored(runner, List.of("ns"))).isFalse();
    }

    @Test
    void readsAPodAtItsRequests() {
        var reading = PodReader.read(pod("", "n1", "Running"));
        var observed = reading.observed();

        assertThat(reading.claim()).isEmpty();
        assertThat(observed.amounts()).isEqualTo(new Resources(1000, 1L << 30));
        assertThat(observed.fixed()).isEqualTo(FixedAmounts.of(Map.of("pods", 1L)));
        assertThat(observed.runsVm()).isFalse();
        assertThat(observed.version()).isEqualTo(5);
        assertThat(observed.createdAtSeconds()).isEqualTo(60);
    }

    @Test
    void readsWhatItTakesOfOtherKindsByTheKubernetesRule() {
        var spec = "{\"metadata\":{\"uid\":\"u\",\"namespace\":\"ns\",\"name\":\"p\",\"resourceVersion\":\"5\","
                + "\"creationTimestamp\":\"1970-01-01T00:01:00Z\"},\"spec\":{"
                + "\"initContainers\":[{\"name\":\"i\",\"resources\":{\"requests\":{\"hugepages-2Mi\":\"4Mi\"}}}],"
                + "\"containers\":[{\"name\":\"a\",\"resources\":{\"requests\":{\"neonvm/kvm\":\"1\",\"cpu\":\"1\"}}},"
                + "{\"name\":\"b\",\"resources\":{\"requests\":{\"neonvm/kvm\":\"2\"}}}]}}";

        assertThat(PodReader.read(Samples.json(spec)).observed().fixed())
                .isEqualTo(FixedAmounts.of(Map.of("pods", 1L, "neonvm/kvm", 3L, "hugepages-2Mi", 4L << 20)));
    }

    @Test
    void readsWhatARunnerClaimsBesideItsRequests() {
        var usage = VM_POD.formatted("{\\\"cpu\\\":\\\"2500m\\\",\\\"memory\\\":\\\"6Gi\\\"}");

        var reading = PodReader.read(pod(usage, "n1", "Running"));

        assertThat(reading.claim()).contains(new PodClaim("db", "", "", new Resources(2500, 6L << 30)));
        assertThat(reading.observed().runsVm()).isFalse();
        assertThat(reading.observed().amounts()).isEqualTo(new Resources(1000, 1L << 30));
        assertThat(reading.complaints()).isEmpty();
    }

    @Test
    void readsARunnerPodWithABadSizeAtItsRequestsAndReportsIt() {
        var reading = PodReader.read(pod(VM_POD.formatted("big"), "n1", "Running"));

        assertThat(reading.claim()).map(PodClaim::usage).contains(new Resources(1000, 1L << 30));
        assertThat(reading.complaints()).hasSize(1);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        the migration that controls it made it | VirtualMachineMigration | vm.neon.tech/v1 | true  | m
        the pod that it leaves is only owned   | VirtualMachineMigration | vm.neon.tech/v1 | false | ''
        its VM controls it                     | VirtualMachine          | vm.neon.tech/v1 | true  | ''
        a kind of that name in another group   | VirtualMachineMigration | example.com/v1  | true  | ''
        """)
    void isATargetWhere(String name, String kind, String apiVersion, boolean controller, String migration) {
        var owners = ",\"ownerReferences\":["
                + "{\"kind\":\"VirtualMachine\",\"apiVersion\":\"vm.neon.tech/v1\",\"name\":\"db\"},"
                + "{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"name\":\"m\",\"controller\":%s}]"
                        .formatted(kind, apiVersion, controller);

        var claim = PodReader.read(pod(owners, "n1", "Pending")).claim();

        assertThat(claim.map(PodClaim::migration).orElse("")).isEqualTo(migration);
    }

    private static JsonNode pod(String metadata, String node, String phase) {
        return Samples.json(POD.formatted(metadata, node, phase));
    }
}
