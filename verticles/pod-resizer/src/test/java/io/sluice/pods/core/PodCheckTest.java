package io.sluice.pods.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.pods.core.PodCheck.Answer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodCheckTest {
    private static final String BOUNDS =
            "{\"min\":{\"cpu\":\"100m\",\"mem\":\"64Mi\"},\"max\":{\"cpu\":1,\"mem\":\"1Gi\"}}";
    private static final PodCheck ALONE = new PodCheck(List.of(), List.of(), List.of(), List.of());

    static Stream<Arguments> pods() {
        var bounded = annotated(pod(), "bounds", BOUNDS);
        var unlabelled = bounded.deepCopy();
        unlabelled.withObject("/metadata").remove("labels");
        var restarts = bounded.deepCopy();
        ((ObjectNode) restarts.at("/spec/containers/0"))
                .withArray("resizePolicy")
                .add(Pods.json("{\"resourceName\":\"memory\",\"restartPolicy\":\"RestartContainer\"}"));
        var guaranteed = annotated(Pods.running("1/1Gi", "1/1Gi", "Guaranteed"), "config", "{\"policy\":\"requests\"}");
        return Stream.of(
                Arguments.of("all there", bounded, Answer.SCALED, ""),
                Arguments.of("no label", unlabelled, Answer.COULD, "lacks the label"),
                Arguments.of("no bounds", pod(), Answer.COULD, "lacks the annotation autoscaling.sluice.io/bounds"),
                Arguments.of("invalid bounds", annotated(pod(), "bounds", "{}"), Answer.COULD, "min.cpu must be"),
                Arguments.of(
                        "invalid monitor",
                        annotated(bounded, "monitor", "ten"),
                        Answer.COULD,
                        "autoscaling.sluice.io/monitor: it must be a port from 1 to 65535, or port/path, not 'ten'"),
                Arguments.of(
                        "a kubelet as monitor",
                        annotated(bounded, "monitor", "10250/metrics/resource"),
                        Answer.COULD,
                        "autoscaling.sluice.io/monitor: its path must be that of a monitor, not a kubelet's"),
                Arguments.of("monitor", annotated(bounded, "monitor", "10301"), Answer.SCALED, ""),
                Arguments.of("restarts", restarts, Answer.COULD, "its memory stays as it is"),
                Arguments.of(
                        "BestEffort", Pods.json(pod().toString().replace("requests", "none")), Answer.NO, "QoS class"),
                Arguments.of("Guaranteed", guaranteed, Answer.NO, "only policy both"),
                Arguments.of("another container", annotated(bounded, "container", "none"), Answer.NO, "no container"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pods")
    void findsWhatIsInTheWay(String name, ObjectNode pod, Answer answer, String reason) {
        var row = ALONE.check(pod);
        assertThat(row.answer()).as("%s", row.reasons()).isEqualTo(answer);
        assertThat(String.join("; ", row.reasons())).contains(reason);
    }

    @Test
    void namesWhatElseChangesTheSamePod() {
        var pod = annotated(pod(), "bounds", BOUNDS);
        pod.withObject("/metadata")
                .withArray("ownerReferences")
                .add(Pods.json("{\"kind\":\"ReplicaSet\",\"name\":\"shop-7f9c\",\"controller\":true}"));
        var check = new PodCheck(
                List.of(Pods.json("""
                    {"metadata":{"name":"h"},"spec":{"scaleTargetRef":{"kind":"Deployment","name":"shop"}}}\
                    """), Pods.json("""
                        {"metadata":{"name":"other"},"spec":{"scaleTargetRef":{"kind":"Deployment","name":"cart"}}}\
                        """)),
                List.of(Pods.json("""
                    {"metadata":{"name":"v"},"spec":{"targetRef":{"kind":"Deployment","name":"shop"}}}\
                    """)),
                List.of(Pods.json("{\"metadata\":{\"name\":\"q\"}}")),
                List.of(Pods.json("{\"metadata\":{\"name\":\"l\"}}")));
        assertThat(check.check(pod).reasons())
                .satisfiesExactly(
                        reason -> assertThat(reason).startsWith("HorizontalPodAutoscaler h "),
                        reason -> assertThat(reason).startsWith("VerticalPodAutoscaler v "),
                        reason -> assertThat(reason).startsWith("ResourceQuota q "),
                        reason -> assertThat(reason).startsWith("LimitRange l "));
    }

    private static ObjectNode pod() {
        return Pods.running("200m/128Mi", "", "Burstable");
    }

    private static ObjectNode annotated(ObjectNode pod, String name, String value) {
        var next = pod.deepCopy();
        next.withObject("/metadata/annotations").put("autoscaling.sluice.io/" + name, value);
        return next;
    }
}
