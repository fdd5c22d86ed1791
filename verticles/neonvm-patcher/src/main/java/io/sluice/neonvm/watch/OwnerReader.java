package io.sluice.neonvm.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.core.observed.OwnerLookup;
import io.vertx.core.Future;
import java.util.function.Consumer;

/** Reads the VM and the migration to which a pod claims to belong, if their watches have not delivered them yet. */
final class OwnerReader {
    private static final int OK = 200;

    private final KubernetesApi api;
    private final Consumer<JsonNode> vm;
    private final Consumer<JsonNode> migration;
    private final Consumer<String> read;

    /**
     * @param vm receives a VM that was read
     * @param migration receives a migration that was read
     * @param read receives the uid of each pod, once all reads have ended, with or without success
     */
    OwnerReader(KubernetesApi api, Consumer<JsonNode> vm, Consumer<JsonNode> migration, Consumer<String> read) {
        this.api = api;
        this.vm = vm;
        this.migration = migration;
        this.read = read;
    }

    void read(OwnerLookup pending) {
        var namespace = pending.namespace();
        var vmRead = read(KubernetesApi.vmsPath(namespace), pending.vmName(), vm);
        var migrationRead = read(KubernetesApi.migrationsPath(namespace), pending.migration(), migration);
        Future.join(vmRead, migrationRead).onComplete(done -> read.accept(pending.pod()));
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
