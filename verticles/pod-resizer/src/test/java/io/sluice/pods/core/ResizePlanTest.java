package io.sluice.pods.core;

import static io.sluice.pods.core.Pods.MI;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.shell.pods.PodBounds;
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
    void changesWhatAPodHasAsAWhole() {
        var scaled = Pods.scaled(Pods.whole("400m/256Mi", "800m/512Mi", "100m/64Mi", "200m/128Mi"));
        assertThat(scaled.obstacles()).isEmpty();
        assertThat(scaled.spec()).isEqualTo(new Resources(400, 256 * MI));
        assertThat(scaled.status()).contains(new Resources(400, 256 * MI));
        assertThat(scaled.isSettled()).isTrue();

        var resources = ResizePlan.resources(scaled, new Resources(600, 512 * MI));
        assertThat(resources.path("requests")).isEqualTo(Pods.json(Pods.quantities("600m/512Mi")));
        assertThat(resources.path("limits")).isEqualTo(Pods.json(Pods.quantities("1200m/1Gi")));
        assertThat(ResizePlan.resize(scaled, resources)).contains("\"path\":\"/spec/resources\"");
    }

    /** The API server refuses less than what the containers request, and a limit below that of one of them. */
    @Test
    void aPodAsAWholeKeepsWhatItsContainersHave() {
        var least = new PodBounds(new Resources(10, 1), new Resources(900, 512 * MI));
        assertThat(bounds("400m/256Mi", "", "100m/64Mi", "", "both", least).min())
                .isEqualTo(new Resources(200, 128 * MI));
        assertThat(bounds("400m/256Mi", "800m/512Mi", "100m/64Mi", "600m/128Mi", "both", least)
                        .min())
                .isEqualTo(new Resources(300, 128 * MI));
        assertThat(bounds("400m/256Mi", "800m/512Mi", "100m/64Mi", "600m/300Mi", "limits", least)
                        .min())
                .isEqualTo(new Resources(600, 300 * MI));
        assertThat(bounds("400m/256Mi", "800m/512Mi", "100m/64Mi", "600m/300Mi", "requests", least)
                        .max())
                .isEqualTo(new Resources(800, 512 * MI));
    }

    private static PodBounds bounds(
            String requests, String limits, String eachRequests, String eachLimits, String policy, PodBounds written) {
        var pod = withPolicy(Pods.whole(requests, limits, eachRequests, eachLimits), policy);
        return Pods.scaled(pod).bounds(written);
    }

    @Test
    void refusesAPodThatAsAWholeRequestsOneKindAlone() {
        var pod = Pods.whole("400m/256Mi", "", "100m/64Mi", "");
        ((ObjectNode) pod.at("/spec/resources/requests")).remove("memory");
        assertThat(Pods.scaled(pod).obstacles())
                .containsExactly(
                        "it has requests or limits of the pod as a whole, but not requests of both CPU and memory");
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
