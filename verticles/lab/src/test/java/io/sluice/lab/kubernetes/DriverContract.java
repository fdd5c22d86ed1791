package io.sluice.lab.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.VmAddresses;
import io.sluice.lab.api.ApiServerExtension;
import io.sluice.lab.api.RawApi;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * What the driver of VMs does with an API server. A subclass has an {@link ApiServerExtension}, and the same tests run
 * on its server. Between driver and server is an {@link ApiServerProxy}.
 */
public abstract class DriverContract {
    static final String VMS = RunningVm.VMS;
    static final String PODS = RunningVm.PODS;
    static final String MIGRATIONS = "/apis/vm.neon.tech/v1/namespaces/default/virtualmachinemigrations";
    static final String EVENTS = "/api/v1/namespaces/default/events";
    static final String MERGE = "application/merge-patch+json";
    static final String JSON_PATCH = "application/json-patch+json";

    /** A busy machine may need long. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final int DONE_WITHIN_SECONDS = 90;

    protected Vertx vertx;
    protected Bus bus;
    protected Shell shell;
    protected ApiServerProxy proxy;
    /** The driver's connection to the server: through the proxy. */
    protected KubernetesConfig config;

    protected KubernetesClient client;
    /** Requests that bypass the proxy. */
    protected RawApi raw;
    /** VM {@code db}, which has no annotations. */
    protected VmId vm;

    private KubernetesClient beside;

    @BeforeAll
    static void isPatient() {
        Awaitility.setDefaultTimeout(TIMEOUT);
    }

    @BeforeEach
    void open(KubernetesConfig server) {
        vertx = Vertx.vertx();
        bus = new Bus(vertx);
        shell = new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
        proxy = new ApiServerProxy(vertx, server, shell.clock());
        config = done(proxy.open());
        client = KubernetesConnection.open(config, shell.meters());
        beside = KubernetesConnection.open(server);
        raw = new RawApi(beside);
        vm = id(RunningVm.make(raw, "db", "null"));
    }

    @AfterEach
    void close() {
        done(vertx.close());
        client.close();
        List.of(VMS, PODS, MIGRATIONS, EVENTS).forEach(this::clear);
        beside.close();
    }

    private void clear(String collection) {
        raw.get(collection).body().path("items").forEach(item -> {
            var path = collection + "/" + item.at("/metadata/name").asText();
            raw.delete(path + "?gracePeriodSeconds=0", "");
            if (!item.at("/metadata/finalizers").isEmpty()) {
                raw.patch(path, MERGE, "{\"metadata\":{\"finalizers\":null}}");
            }
        });
    }

    protected static <T> T done(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(DONE_WITHIN_SECONDS, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new AssertionError("the future failed", failed);
        }
    }

    protected static VmId id(JsonNode object) {
        return new VmId(
                "neonvm",
                "default",
                object.at("/metadata/name").asText(),
                object.at("/metadata/uid").asText());
    }

    /** The present object of the VM {@code db}. */
    protected JsonNode read() {
        return raw.get(VMS + "/db").body();
    }

    /** The fence on the VM {@code db} after the claim of a runner. */
    protected String claimed(String runner) {
        var reply = done(bus.request(VmAddresses.CLAIM, new ClaimVm(vm, runner)));
        assertThat(reply).isInstanceOf(ClaimReply.Claimed.class);
        return ((ClaimReply.Claimed) reply).fence();
    }

    protected double counted(String name, String outcome) {
        var counter = shell.meters().find(name).tag("outcome", outcome).counter();
        return counter == null ? 0 : counter.count();
    }
}
