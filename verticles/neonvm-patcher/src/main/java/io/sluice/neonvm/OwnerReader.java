package io.sluice.neonvm;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.neonvm.core.OwnerLookup;
import io.vertx.core.Future;
import java.util.function.Consumer;

/** Reads the VM and the migration that a pod claims to belong to, where their watches have not shown them yet. */
final class OwnerReader {
    private static final int OK = 200;

    private final KubernetesApi api;
    private final Consumer<JsonNode> vm;
    private final Consumer<JsonNode> migration;
    private final Consumer<String> read;

    /**
     * @param vm takes a VM that was read
     * @param migration takes a migration that was read
     * @param read takes the uid of each pod, once whatever there is was read, or could not be
     */
    OwnerReader(KubernetesApi api, Consumer<JsonNode> vm, Consumer<JsonNode> migration, Consumer<String> read) {
        this.api = api;
        this.vm = vm;
        this.migration = migration;
        this.read = read;
    }

    void read(OwnerLookup wanted) {
        var namespace = wanted.namespace();
        var vmRead = read(KubernetesApi.vmsPath(namespace), wanted.vmName(), vm);
        var migrationRead = read(KubernetesApi.migrationsPath(namespace), wanted.migration(), migration);
        Future.join(vmRead, migrationRead).onComplete(done -> read.accept(wanted.pod()));
    }

    private Future<Void> read(String path, String name, Consumer<JsonNode> found) {
        if (name.isEmpty()) {
            return Future.succeededFuture();
        }
        return api.get(path + "/" + name).map(answer -> {
            if (answer.status() == OK) {
                found.accept(answer.body());
            }
            return null;
        });
    }
}
