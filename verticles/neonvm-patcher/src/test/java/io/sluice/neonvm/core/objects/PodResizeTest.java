package io.sluice.neonvm.core.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.neonvm.core.objects.PodResize.Progress;
import io.sluice.units.Resources;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PodResizeTest {
    private static final Resources CHARGE = new Resources(2_000, 8L << 30);
    private static final String SMALL = "'requests':{'cpu':'100m','memory':'100Mi'}";
    private static final String BURSTABLE = "'qosClass':'Burstable'";

    static Stream<Arguments> resized() {
        return Stream.of(
                row("2", "8Gi", runner(SMALL)),
                row("2", "8Gi", runner("'limits':{'memory':'1Ti'}")),
                row("1800m", "6Gi", runner(SMALL) + "," + beside("200m", "2Gi")),
                row("1500m", "7Gi", runner(SMALL) + "],'overhead':{'cpu':'500m','memory':'1Gi'},'ignored':["),
                row("1", "4Gi", runner(SMALL) + "],'initContainers':[" + sidecar("1", "4Gi") + "," + init("3", "9Gi")),
                row("1m", "1Mi", runner(SMALL) + "," + beside("3", "9Gi")),
                row("1", "8Gi", runner(SMALL + ",'limits':{'cpu':'1'}")),
                row("999m", "1Gi", runner(SMALL + ",'limits':{'cpu':'1','memory':'1Gi'}")),
                row("1", "1Gi", runner(SMALL + ",'limits':{'cpu':'1','memory':'1Gi'}") + "," + beside("1m", "1Mi")));
    }

    @ParameterizedTest
    @MethodSource
    void resized(String cpu, String memory, String containers) {
        var step = of(pod(containers, BURSTABLE));

        assertThat(step).isInstanceOf(PodResize.Patch.class);
        var ops = json(((PodResize.Patch) step).operations());
        var requests = ops.get(2).path("value");
        assertThat(requests.path("cpu").asText()).isEqualTo(cpu);
        assertThat(requests.path("memory").asText()).isEqualTo(memory);
    }

    @Test
    void thePatchTestsWhatWasReadAndKeepsOtherRequests() {
        var step = of(pod(runner("'requests':{'neonvm/kvm':'1','cpu':'100m'},'limits':{'neonvm/kvm':'1'}"), BURSTABLE));

        assertThat(json(((PodResize.Patch) step).operations())).isEqualTo(json("""
            [{'op':'test','path':'/metadata/uid','value':'u1'},
             {'op':'test','path':'/spec/containers/0/resources',
              'value':{'requests':{'neonvm/kvm':'1','cpu':'100m'},'limits':{'neonvm/kvm':'1'}}},
             {'op':'add','path':'/spec/containers/0/resources/requests',
              'value':{'neonvm/kvm':'1','cpu':'2','memory':'8Gi'}}]\
            """));
    }

    static Stream<Arguments> isDone() {
        var charged = runner("'requests':{'cpu':'2','memory':'8192Mi'}");
        return Stream.of(
                Arguments.of(Progress.ACCEPTED, charged, BURSTABLE),
                Arguments.of(Progress.ACCEPTED, charged, BURSTABLE + "," + allocated("2000m")),
                Arguments.of(Progress.APPLYING, charged, BURSTABLE + "," + allocated("1")),
                Arguments.of(Progress.DEFERRED, charged, BURSTABLE + "," + pending("Deferred")),
                Arguments.of(Progress.INFEASIBLE, charged, BURSTABLE + "," + pending("Infeasible")),
                Arguments.of(
                        Progress.LIMITED,
                        runner("'requests':{'cpu':'1','memory':'8Gi'},'limits':{'cpu':'1'}"),
                        BURSTABLE));
    }

    @ParameterizedTest
    @MethodSource
    void isDone(Progress progress, String containers, String status) {
        assertThat(of(pod(containers, status))).isEqualTo(new PodResize.Done(progress));
    }

    static Stream<Arguments> isNeverResized() {
        return Stream.of(
                Arguments.of("its QoS class is Guaranteed", runner(SMALL), "'qosClass':'Guaranteed'"),
                Arguments.of("its QoS class is BestEffort", runner(SMALL), "'qosClass':'BestEffort'"),
                Arguments.of(
                        "it has requests of the pod as a whole",
                        runner(SMALL) + "],'resources':{'requests':{'cpu':'1'}},'ignored':[",
                        BURSTABLE),
                Arguments.of(
                        "its container would be restarted",
                        "{'name':'neonvm-runner','resources':{" + SMALL + "},'resizePolicy':["
                                + "{'resourceName':'cpu','restartPolicy':'NotRequired'},"
                                + "{'resourceName':'memory','restartPolicy':'RestartContainer'}]}",
                        BURSTABLE));
    }

    @ParameterizedTest
    @MethodSource
    void isNeverResized(String reason, String containers, String status) {
        assertThat(of(pod(containers, status)))
                .isInstanceOfSatisfying(
                        PodResize.Never.class,
                        never -> assertThat(never.reason()).startsWith(reason));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
        'uid':'u1',             'uid':'u2'
        'nodeName':'n',         'nodeName':''
        'phase':'Running',      'phase':'Succeeded'
        'name':'db-0',          "'name':'db-0','deletionTimestamp':'2026-01-02T03:04:05Z'"
        """)
    void anEndedPodAndOneOfAnotherUidAreLeftAlone(String now, String then) {
        var pod = text(runner(SMALL), BURSTABLE);

        assertThat(of(json(pod.replace(now, then)))).isEqualTo(new PodResize.Ended());
    }

    @ParameterizedTest
    @CsvSource({"vm.neon.tech/usage, other", "cpu, cpus"})
    void aPodThatCountsAtItsRequestsIsNotResized(String now, String then) {
        var pod = text(runner(SMALL), BURSTABLE).replaceFirst(now, then);

        assertThat(of(json(pod))).isInstanceOf(PodResize.NotYet.class);
    }

    private static PodResize of(JsonNode pod) {
        return PodResize.of(pod, "u1", CHARGE);
    }

    private static JsonNode pod(String containers, String status) {
        return json(text(containers, status));
    }

    private static String text(String containers, String status) {
        return """
            {'metadata':{'uid':'u1','namespace':'default','name':'db-0',
               'annotations':{'vm.neon.tech/usage':'{\\"cpu\\":2,\\"memory\\":\\"8Gi\\"}'}},
             'spec':{'nodeName':'n','containers':[%s]},'status':{'phase':'Running',%s}}\
            """.formatted(containers, status);
    }

    private static String runner(String resources) {
        return "{'name':'neonvm-runner','resources':{" + resources + "}}";
    }

    private static String beside(String cpu, String memory) {
        return "{'name':'b','resources':{'requests':{'cpu':'" + cpu + "','memory':'" + memory + "'}}}";
    }

    private static String sidecar(String cpu, String memory) {
        return init(cpu, memory).replace("{'name':'i'", "{'name':'s','restartPolicy':'Always'");
    }

    private static String init(String cpu, String memory) {
        return beside(cpu, memory).replace("'b'", "'i'");
    }

    private static String allocated(String cpu) {
        return "'containerStatuses':[{'name':'neonvm-runner','allocatedResources':{'cpu':'" + cpu
                + "','memory':'8Gi'}}]";
    }

    private static String pending(String reason) {
        return "'conditions':[{'type':'PodResizePending','status':'True','reason':'" + reason + "'}]";
    }

    private static JsonNode json(String text) {
        return KubernetesJson.parse("the pod", text.replace('\'', '"'));
    }

    private static Arguments row(String cpu, String memory, String containers) {
        return Arguments.of(cpu, memory, containers);
    }
}
