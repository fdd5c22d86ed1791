package io.sluice.workers.agent;

import io.sluice.units.Resources;
import io.sluice.workers.WorkersTls;
import io.vertx.core.net.HostAndPort;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How a worker registers, and what it may run.
 *
 * @param id its name; with TLS its certificate must name it
 * @param schedulers where schedulers listen; they are tried in turn
 * @param capacity what the machine has
 * @param commands the programs that may be run, as absolute paths; one that ends with a slash allows its whole
 *     directory
 * @param roots the directories that may be the root of a pod; the same holds for those that end with a slash
 * @param directory for what belongs to this program's run
 * @param tls its own certificate and key, and the issuers of the scheduler's certificate, if the operator issues them
 * @param token the file with the token by which it gets its first certificate, if the scheduler issues them
 */
public record WorkerOptions(
        String id,
        List<HostAndPort> schedulers,
        Resources capacity,
        Map<String, String> labels,
        List<String> commands,
        List<String> roots,
        Path directory,
        WorkersTls tls,
        Optional<Path> token) {
    public WorkerOptions {
        Objects.requireNonNull(id, "id");
        schedulers = List.copyOf(schedulers);
        labels = Map.copyOf(labels);
        commands = List.copyOf(commands);
        roots = List.copyOf(roots);
    }

    /** For one scheduler. */
    public WorkerOptions(
            String id,
            String host,
            int port,
            Resources capacity,
            Map<String, String> labels,
            List<String> commands,
            List<String> roots,
            Path directory,
            WorkersTls tls,
            Optional<Path> token) {
        this(id, List.of(HostAndPort.create(host, port)), capacity, labels, commands, roots, directory, tls, token);
    }
}
