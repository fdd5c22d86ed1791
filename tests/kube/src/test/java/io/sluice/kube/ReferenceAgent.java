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
 * What an agent of the reference does for one VM, on the wire: it asks with protocol v5.0 and knows no sessions, and
 * patches size and revision without a test.
 */
final class ReferenceAgent {
    private static final int V5_0 = 7;
    private static final int OK = 200;

    /** It may ask again: the cluster is not listed yet, or the machine has other work. */
    private static final int BUSY = 503;

    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int GROWS = 1;
    private static final int SHRINKS = 2;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Town town;
    private final URI scheduler;
    private final String vm;
    /** The newest version of the VM that was told of on the bus. */
    private final AtomicLong factsUpTo = new AtomicLong();

    private Resources lastPermit;
    private long revision;

    ReferenceAgent(Town town, int port, String vm) {
        this.town = town;
        this.scheduler = URI.create("http://127.0.0.1:" + port + "/");
        this.vm = vm;
        Town.done(town.bus().subscribe(ClusterAddresses.VM_SEEN, seen -> {
            if (seen.vm().name().equals(vm)) {
                factsUpTo.accumulateAndGet(seen.version(), Math::max);
            }
        }));
    }

    /** Asks for a size, gives the VM what it is permitted, and answers that. */
    Resources grow(Resources target) {
        var permit = ask(target);
        patch(permit, GROWS);
        return permit;
    }

    /**
     * Takes from the VM, and says so at once and again when it is so, as it does every 15 s: as long as the VM's status
     * shows more, more is booked, and who books may hear of an older status later than we read the newest.
     */
    Resources shrink(Resources target) {
        patch(target, SHRINKS);
        ask(target);
        long settled = Long.parseLong(town.settles(vm, target).version());
        await("the fact that " + vm + " has shrunk").atMost(Town.WITHIN).until(() -> factsUpTo.get() >= settled);
        return await().atMost(Town.WITHIN)
                .pollDelay(Duration.ZERO)
                .until(
                        () -> ask(target),
                        permit -> town.members(vm).getFirst().reserved().equals(permit));
    }

    /** Asks, or says again what is so. */
    Resources ask(Resources target) {
        var question = new JsonObject()
                .put("protoVersion", V5_0)
                .put(
                        "pod",
                        new JsonObject()
                                .put("namespace", "default")
                                .put("name", town.vm(vm).podName()))
                .put("computeUnit", amounts(Vms.UNIT))
                .put("resources", amounts(target))
                .put("lastPermit", lastPermit == null ? null : amounts(lastPermit))
                .put("metrics", new JsonObject().put("loadAvg1M", 0.1));
        var answer = await().atMost(Town.WITHIN)
                .pollInterval(RETRY)
                .pollDelay(Duration.ZERO)
                .until(() -> send(question), given -> given.statusCode() != BUSY);
        if (answer.statusCode() != OK) {
            throw new AssertionError(question + " was answered " + answer.statusCode() + ": " + answer.body());
        }
        var permit = new JsonObject(answer.body()).getJsonObject("permit");
        lastPermit = new Resources(
                Quantities.milliCpu(String.valueOf(permit.getValue("vCPUs"))),
                Quantities.bytes(permit.getString("mem")));
        return lastPermit;
    }

    private HttpResponse<String> send(JsonObject question) {
        var request = HttpRequest.newBuilder(scheduler)
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(question.encode()))
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
        town.vms().inNamespace("default").withName(vm).patch(PatchContext.of(PatchType.JSON), patch.encode());
    }

    private static JsonObject replace(String path, Object value) {
        return new JsonObject().put("op", "replace").put("path", path).put("value", value);
    }
}
