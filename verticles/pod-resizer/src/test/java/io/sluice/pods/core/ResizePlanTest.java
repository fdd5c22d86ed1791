package io.sluice.pods.core;

import static io.sluice.pods.core.Pods.MI;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.units.Resources;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ResizePlanTest {
    private static final Resources TO = new Resources(400, 256 * MI);

    static Stream<Arguments> resources() {
        return Stream.of(
                Arguments.of("requests alone", "200m/128Mi", "", "Burstable", "both", "400m/256Mi", ""),
                Arguments.of(
                        "in proportion", "200m/128Mi", "300m/256Mi", "Burstable", "both", "400m/256Mi", "600m/512Mi"),
                Arguments.of(
                        "guaranteed", "200m/128Mi", "200m/128Mi", "Guaranteed", "both", "400m/256Mi", "400m/256Mi"),
                Arguments.of(
                        "up to the limits",
                        "200m/128Mi",
                        "300m/1Gi",
                        "Burstable",
                        "requests",
                        "300m/256Mi",
                        "300m/1Gi"),
                Arguments.of(
                        "limits alone", "200m/128Mi", "300m/192Mi", "Burstable", "limits", "200m/128Mi", "400m/256Mi"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("resources")
    void changesWhatItsPolicyAllows(
            String name, String requests, String limits, String qos, String policy, String then, String most) {
        var pod = withPolicy(Pods.running(requests, limits, qos), policy);
        var resources = ResizePlan.resources(Pods.scaled(pod), TO);
        assertThat(resources.path("requests")).isEqualTo(Pods.json(Pods.quantities(then)));
        assertThat(resources.path("limits")).isEqualTo(Pods.json(Pods.quantities(most)));
    }

    @Test
    void leavesWhatOtherContainersHaveOutOfItsOwnSize() {
        var pod = Pods.running("200m/128Mi", "", "Burstable");
        ((ObjectNode) pod.path("spec"))
                .withArray("containers")
                .add(Pods.json(
                        "{\"name\":\"side\",\"resources\":{\"requests\":{\"cpu\":\"50m\",\"memory\":\"32Mi\"}}}"));
        var scaled = Pods.scaled(pod);
        assertThat(scaled.spec()).isEqualTo(new Resources(250, 160 * MI));
        assertThat(ResizePlan.resources(scaled, new Resources(450, 288 * MI)).path("requests"))
                .isEqualTo(Pods.json(Pods.quantities("400m/256Mi")));
    }

    @Test
    void aResizeTestsUidVersionAndFence() {
        var pod = Pods.scaled(Pods.running("200m/128Mi", "", "Burstable"));
        assertThat(ResizePlan.resize(pod, ResizePlan.resources(pod, TO)))
                .contains(
                        "{\"op\":\"test\",\"path\":\"/metadata/uid\",\"value\":\"u\"}",
                        "{\"op\":\"test\",\"path\":\"/metadata/resourceVersion\",\"value\":\"7\"}",
                        "/metadata/annotations/internal.autoscaling.sluice.io~1fence\",\"value\":\"r+1/0\"");
    }

    private static ObjectNode withPolicy(ObjectNode pod, String policy) {
        pod.withObject("/metadata/annotations").put("autoscaling.sluice.io/config", "{\"policy\":\"" + policy + "\"}");
        return pod;
    }
}
