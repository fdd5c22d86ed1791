package io.sluice.cluster.roles;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.lab.LabConfig;
import io.sluice.lab.LabVerticle;
import io.sluice.lab.core.LabNode;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The VMs of the lab as its own API shows them.
 *
 * @param api API of the lab
 */
public record LabFleet(Console api) {
    private static final String VMS = "/apis/vm.neon.tech/v1/namespaces/default/virtualmachines";
    private static final String POD = "/api/v1/namespaces/default/pods/redis-0";
    private static final String AT_FIRST = "1/4Gi";
    private static final int ATTEMPTS = 4;

    LabFleet(int port) {
        this(new Console("http://127.0.0.1:" + port));
    }

    /** A lab with those nodes whose API is this one; it is to be deployed. */
    public LabVerticle verticle(List<LabNode> nodes) {
        var usual = LabConfig.DEFAULTS;
        var config = new LabConfig(
                usual.cluster(),
                usual.address(),
                URI.create(api.url()).getPort(),
                usual.day(),
                usual.seed(),
                usual.controllerDelayMin(),
                usual.controllerDelayMax(),
                usual.auditEvery(),
                usual.migration());
        var shell = new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
        return new LabVerticle(config, shell, nodes);
    }

    /** The size that each VM really has, by its name. */
    Map<String, String> sizes() {
        var sizes = new TreeMap<String, String>();
        read(VMS).path("items").forEach(vm -> sizes.put(name(vm), size(vm.path("status"))));
        return sizes;
    }

    /** The size that each VM had at its creation. */
    Map<String, String> sizesAtFirst() {
        var sizes = sizes();
        sizes.replaceAll((name, size) -> AT_FIRST);
        return sizes;
    }

    /** The size that the ordinary pod really has. */
    String podSize() {
        return read(POD)
                .path("status")
                .path("containerStatuses")
                .path(0)
                .path("resources")
                .path("requests")
                .toString();
    }

    /** The pod of each VM, by the VM's name. */
    Map<String, String> pods() {
        var pods = new TreeMap<String, String>();
        read(VMS)
                .path("items")
                .forEach(vm ->
                        pods.put(name(vm), vm.path("status").path("podName").asText()));
        return pods;
    }

    /** A reply that is late on a busy machine is requested again. */
    private JsonNode read(String path) {
        for (int attempt = 1; ; attempt++) {
            try {
                return api.get(path);
            } catch (UncheckedIOException failed) {
                if (attempt == ATTEMPTS || !(failed.getCause() instanceof HttpTimeoutException)) {
                    throw failed;
                }
            }
        }
    }

    private static String name(JsonNode vm) {
        return vm.path("metadata").path("name").asText();
    }

    private static String size(JsonNode status) {
        return status.path("cpus").asText() + "/" + status.path("memorySize").asText();
    }
}
