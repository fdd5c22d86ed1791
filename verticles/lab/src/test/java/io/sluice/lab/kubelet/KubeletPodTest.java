package io.sluice.lab.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.kubelet.core.ResizeAdmission;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** Goal: a resize passes the steps of a real kubelet. Method: the object, step by step. */
class KubeletPodTest {
    private static final ResizeAdmission ADMITTED = new ResizeAdmission.Admitted();
    private static final ResizeAdmission DEFERRED = new ResizeAdmission.Deferred("no room");

    private JsonObject pod = new JsonObject("""
        {"metadata":{"name":"p","generation":1,"resourceVersion":"7"},"status":{"phase":"Pending","qosClass":"Guaranteed"},
         "spec":{"nodeName":"n","containers":[{"name":"main","resources":{"requests":{"cpu":"250m","memory":"1Gi"},
           "limits":{"cpu":"250m","memory":"1Gi"}}}]}}\
        """);

    private boolean step(ResizeAdmission admission) {
        var next = new KubeletPod(pod).next(admission);
        next.ifPresent(status -> pod = pod.copy().put("status", status));
        return next.isPresent();
    }

    private void resize(String cpu) {
        var resources = container("spec", "containers").getJsonObject("resources");
        resources.getJsonObject("requests").put("cpu", cpu);
        resources.getJsonObject("limits").put("cpu", cpu);
        pod.getJsonObject("metadata")
                .put("generation", pod.getJsonObject("metadata").getLong("generation") + 1);
    }

    private JsonObject container(String part, String list) {
        return pod.getJsonObject(part).getJsonArray(list).getJsonObject(0);
    }

    private String allocated() {
        return container("status", "containerStatuses")
                .getJsonObject("allocatedResources")
                .getString("cpu");
    }

    private String inForce() {
        return container("status", "containerStatuses")
                .getJsonObject("resources")
                .getJsonObject("limits")
                .getString("cpu");
    }

    private String conditions() {
        return pod.getJsonObject("status").getJsonArray("conditions").encode();
    }

    @Test
    void aNewPodHasWhatItsSpecHas() {
        assertThat(step(DEFERRED)).isTrue();
        assertThat(allocated()).isEqualTo("250m");
        assertThat(inForce()).isEqualTo("250m");
        assertThat(pod.getJsonObject("status").getString("phase")).isEqualTo("Running");
        assertThat(pod.getJsonObject("status").getString("qosClass")).isEqualTo("Guaranteed");
        assertThat(step(ADMITTED)).as("there is nothing left to do").isFalse();
    }

    @Test
    void aResizeIsAllocatedFirstAndThenInForce() {
        step(ADMITTED);
        resize("500m");

        assertThat(step(ADMITTED)).isTrue();
        assertThat(allocated()).isEqualTo("500m");
        assertThat(inForce()).isEqualTo("250m");
        assertThat(conditions()).contains("PodResizeInProgress");
        assertThat(pod.getJsonObject("status").getLong("observedGeneration")).isEqualTo(2);
        assertThat(new KubeletPod(pod).limits()).contains(new Resources(250, 1L << 30));

        assertThat(step(ADMITTED)).isTrue();
        assertThat(inForce()).isEqualTo("500m");
        assertThat(conditions()).doesNotContain("PodResize");
        assertThat(step(ADMITTED)).isFalse();
    }

    @Test
    void aDeferredResizeWaitsAndTakesRoomOnceThereIsSome() {
        step(ADMITTED);
        resize("500m");

        assertThat(step(DEFERRED)).isTrue();
        assertThat(conditions()).contains("PodResizePending", "\"Deferred\"", "no room");
        assertThat(allocated()).isEqualTo("250m");
        assertThat(step(DEFERRED)).as("it is reported once").isFalse();

        assertThat(step(ADMITTED)).isTrue();
        assertThat(allocated()).isEqualTo("500m");
    }

    @Test
    void anInfeasibleResizeThatIsTakenBackLeavesNothing() {
        step(ADMITTED);
        resize("500");
        step(new ResizeAdmission.Infeasible("too much"));
        assertThat(conditions()).contains("\"Infeasible\"", "too much");

        resize("250m");
        assertThat(step(ADMITTED)).isTrue();
        assertThat(conditions()).doesNotContain("PodResize");
        assertThat(pod.getJsonObject("status").getLong("observedGeneration")).isEqualTo(3);
    }
}
