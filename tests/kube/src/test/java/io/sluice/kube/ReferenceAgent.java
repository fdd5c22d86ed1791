package io.sluice.kube;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.bus.ClusterAddresses;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What an agent of the reference does for one VM, on the wire: it sends requests in protocol v5.0, without sessions,
 * and patches size and revision without a test.
 */
final class ReferenceAgent {
    private static final int V5_0 = 7;
    private static final int OK = 200;

    /** The request may be repeated: no full list has arrived yet, or the machine is busy. */
    private static final int BUSY = 503;

    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int GROWS = 1;
    private static final int SHRINKS = 2;

    private final HttpClient http = HttpClient.newHttpClient();
    private final KubeFleet fleet;
    private final URI scheduler;
    private final String vm;
    /** The newest version of the VM that was published on the bus. */
    private final AtomicLong observationsUpTo = new AtomicLong();

    private Resources lastPermit;
    private long revision;

    ReferenceAgent(KubeFleet fleet, int port, String vm) {
        this.fleet = fleet;
        this.scheduler = URI.create("http://127.0.0.1:" + port + "/");
        this.vm = vm;
        KubeFleet.done(fleet.bus().subscribe(ClusterAddresses.VM_OBSERVED, observed -> {
            if (observed.vm().name().equals(vm)) {
                observationsUpTo.accumulateAndGet(observed.version(), Math::max);
            }
        }));
    }

    /** Requests a size, patches the VM to the permit, and returns the permit. */
    Resources grow(Resources target) {
        var permit = request(target);
        patch(permit, GROWS);
        return permit;
    }

    /**
     * Shrinks the VM, and reports that at once and again when its status shows it, as the reference does every 15 s. As
     * long as the VM's status shows more, more is reserved. The ledger may observe an older status later than this test
     * reads the newest.
     */
    Resources shrink(Resources target) {
        patch(target, SHRINKS);
        request(target);
        long settled = Long.parseLong(fleet.settles(vm, target).version());
        await("the observation that " + vm + " has shrunk")
                .atMost(KubeFleet.WITHIN)
                .until(() -> observationsUpTo.get() >= settled);
        return await().atMost(KubeFleet.WITHIN)
                .pollDelay(Duration.ZERO)
                .until(
                        () -> request(target),
                        permit -> fleet.members(vm).getFirst().reserved().equals(permit));
    }

    /** Requests a size, or reports the same size again. */
    Resources request(Resources target) {
        var request = new JsonObject()
                .put("protoVersion", V5_0)
                .put(
                        "pod",
                        new JsonObject()
                                .put("namespace", "default")
                                .put("name", fleet.vm(vm).podName()))
                .put("computeUnit", amounts(Vms.UNIT))
                .put("resources", amounts(target))
                .put("lastPermit", lastPermit == null ? null : amounts(lastPermit))
                .put("metrics", new JsonObject().put("loadAvg1M", 0.1));
        var answer = await().atMost(KubeFleet.WITHIN)
                .pollInterval(RETRY)
                .pollDelay(Duration.ZERO)
                .until(() -> send(request), given -> given.statusCode() != BUSY);
        if (answer.statusCode() != OK) {
            throw new AssertionError(request + " got the reply " + answer.statusCode() + ": " + answer.body());
        }
        var permit = new JsonObject(answer.body()).getJsonObject("permit");
        lastPermit = new Resources(
                Quantities.milliCpu(String.valueOf(permit.getValue("vCPUs"))),
                Quantities.bytes(permit.getString("mem")));
        return lastPermit;
    }

    private HttpResponse<String> send(JsonObject body) {
        var request = HttpRequest.newBuilder(scheduler)
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.encode()))
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static JsonObject amounts(Resources amount) {
        return new JsonObject()
                .put("vCPUs", amount.milliCpu() + "m")
                .put("mem", Quantities.memoryText(amount.memoryBytes()));
    }

    private void patch(Resources size, int flags) {
        revision++;
        var target = new JsonObject()
                .put("revision", new JsonObject().put("value", revision).put("flags", flags))
                .put("updatedAt", "2026-01-02T03:04:05Z");
        var patch = new JsonArray()
                .add(replace("/spec/guest/cpus/use", size.milliCpu() + "m"))
                .add(replace("/spec/guest/memorySlots/use", size.memoryBytes() / Vms.UNIT.memoryBytes()))
                .add(replace("/spec/targetRevision", target));
        fleet.vms().inNamespace("default").withName(vm).patch(PatchContext.of(PatchType.JSON), patch.encode());
    }

    private static JsonObject replace(String path, Object value) {
        return new JsonObject().put("op", "replace").put("path", path).put("value", value);
    }
}
