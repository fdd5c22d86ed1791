package io.sluice.lab.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.bus.VmAddresses;
import io.sluice.devices.GpuGrant;
import io.sluice.devices.GpuMode;
import io.sluice.devices.GpuShare;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.TouchPod;
import io.sluice.neonvm.core.objects.PodReader;
import io.sluice.neonvm.patch.VmPatchVerticle;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The results of Bindings and of touches of pods. */
public abstract class PodBindingContract extends DriverContract {
    private static final String POD = "waits";

    private JsonNode pod;

    @BeforeEach
    void deploy() {
        done(vertx.deployVerticle(new VmPatchVerticle(config, shell, client)));
        var made = raw.post(PODS, """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},
             "spec":{"schedulerName":"another","containers":[{"name":"main","image":"example/main:1"}]}}\
            """.formatted(POD));
        assertThat(made.status()).as(made.body().toString()).isEqualTo(201);
        pod = made.body();
    }

    private static String uid(JsonNode object) {
        return object.at("/metadata/uid").asText();
    }

    private static long version(JsonNode object) {
        return object.at("/metadata/resourceVersion").asLong();
    }

    private JsonNode present() {
        return raw.get(PODS + "/" + POD).body();
    }

    private String node() {
        return present().at("/spec/nodeName").asText();
    }

    private Future<PodBinding> bind(String uid, long version) {
        return bus.request(VmAddresses.BIND_POD, new BindPod(uid, "default", POD, "node-a", version));
    }

    private PodBinding touch(String uid) {
        return done(bus.request(VmAddresses.TOUCH_POD, new TouchPod(uid, "default", POD)));
    }

    @Test
    void bindsAPodThatIsAsObserved() {
        assertThat(done(bind(uid(pod), version(pod)))).isEqualTo(new PodBinding.Bound("node-a"));
        assertThat(node()).isEqualTo("node-a");
        assertThat(touch(uid(pod))).isEqualTo(new PodBinding.Bound("node-a"));
    }

    /** No agent of a node sees the pod on it without them. */
    @Test
    void writesTheGpusOfAPodWithItsNode() {
        var gpus = new GpuGrant(GpuMode.HAMI, List.of(new GpuShare(0, 1, "GPU-b", 4_096, 50)));
        var bind = new BindPod(uid(pod), "default", POD, "node-a", version(pod), gpus);
        assertThat(done(bus.request(VmAddresses.BIND_POD, bind))).isEqualTo(new PodBinding.Bound("node-a"));

        assertThat(node()).isEqualTo("node-a");
        var annotations = present().at("/metadata/annotations");
        assertThat(annotations.path("autoscaling.sluice.io/gpu-allocation").asText())
                .contains("\"node\":\"node-a\"", "\"uuid\":\"GPU-b\"", "\"memMiB\":4096");
        assertThat(annotations.path("hami.io/vgpu-devices-to-allocate").asText())
                .isEqualTo("GPU-b,NVIDIA,4096,50:;");
        assertThat(PodReader.read(present()).observed().gpus().shares()).isEqualTo(gpus.shares());
    }

    @Test
    void bindsNoPodThatHasChanged() {
        raw.patch(PODS + "/" + POD, MERGE, "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}");

        assertThat(done(bind(uid(pod), version(pod)))).isInstanceOf(PodBinding.InDoubt.class);
        assertThat(node()).isEmpty();
    }

    @Test
    void bindsNoOtherPodOfThatName() {
        assertThat(done(bind("another", version(pod)))).isInstanceOf(PodBinding.InDoubt.class);
        assertThat(node()).isEmpty();
        assertThat(touch("another")).isEqualTo(new PodBinding.Gone());
    }

    /** For example of a process that was frozen between the request and its call. */
    @Test
    void aBindThatArrivesAfterATouchHasNoEffect() {
        proxy.hold(entry -> entry.path().endsWith("/binding"));
        var late = bind(uid(pod), version(pod));
        await().until(() ->
                proxy.records().stream().anyMatch(entry -> entry.path().endsWith("/binding")));

        assertThat(touch(uid(pod))).isEqualTo(new PodBinding.Unbound());
        proxy.release();

        assertThat(done(late)).isInstanceOf(PodBinding.InDoubt.class);
        assertThat(node()).isEmpty();
    }

    @Test
    void aTouchShowsABindThatWasNotAnswered() {
        proxy.loseAnswers(entry -> entry.path().endsWith("/binding"));

        assertThat(done(bind(uid(pod), version(pod)))).isInstanceOf(PodBinding.InDoubt.class);
        assertThat(touch(uid(pod))).isEqualTo(new PodBinding.Bound("node-a"));
    }

    @Test
    void eachTouchChangesThePod() {
        touch(uid(pod));
        var once = version(present());
        touch(uid(pod));

        assertThat(once).isGreaterThan(version(pod));
        assertThat(version(present())).isGreaterThan(once);
    }

    @Test
    void aPodThatIsDeletedIsGone() {
        raw.delete(PODS + "/" + POD + "?gracePeriodSeconds=0", "");

        assertThat(touch(uid(pod))).isEqualTo(new PodBinding.Gone());
    }

    @Test
    void isInDoubtWhileTheApiServerFails() {
        proxy.failNext(503, 20);

        assertThat(touch(uid(pod))).isInstanceOf(PodBinding.InDoubt.class);
    }
}
