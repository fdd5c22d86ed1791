package io.sluice.launcher.client;

import com.google.protobuf.ByteString;
import io.sluice.shell.Quantities;
import io.sluice.shell.config.ConfigException;
import io.sluice.shell.config.Durations;
import io.sluice.workers.GrpcMethods;
import io.sluice.workers.WireForm;
import io.sluice.workers.control.v1.BanRequest;
import io.sluice.workers.control.v1.CertificateRequest;
import io.sluice.workers.control.v1.DrainRequest;
import io.sluice.workers.control.v1.ExplainRequest;
import io.sluice.workers.control.v1.JoinTokenRequest;
import io.sluice.workers.control.v1.ListRequest;
import io.sluice.workers.control.v1.WorkerInfo;
import io.sluice.workers.identity.IdentityFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists, drains and bans workers, and lets machines join. */
@Command(
        name = "workers",
        description = "Lists, drains and bans workers, and lets machines join.",
        mixinStandardHelpOptions = true)
public final class WorkersCommand implements Callable<Integer> {
    @Mixin
    private ControlOptions control;

    @Override
    public Integer call() {
        System.err.println("sluice: a command is missing: list, why, token, certificate, drain or ban");
        return 2;
    }

    @Command(name = "why", description = "Prints why a worker is in its state.")
    Integer why(@Parameters(paramLabel = "ID", description = "its id") String id) {
        Requests.why(control, id);
        return 0;
    }

    @Command(name = "list", description = "Prints all workers.")
    Integer list(@Mixin OutputOption output) {
        Requests.list(control, output);
        return 0;
    }

    @Command(name = "token", description = "Writes a token by which a machine gets its first certificate.")
    Integer token(
            @Parameters(
                            paramLabel = "WORKER",
                            description = "the name of the machine; with a star at its end, any that begins so")
                    String worker,
            @Option(
                            names = "--out",
                            required = true,
                            paramLabel = "FILE",
                            description = "the file, which must not exist")
                    Path out,
            @Option(
                            names = "--ttl",
                            paramLabel = "TIME",
                            defaultValue = "1h",
                            description = "how long it may be used; by default ${DEFAULT-VALUE}")
                    String ttl,
            @Option(names = "--uses", defaultValue = "1", description = "how many machines may use it") int uses,
            @Option(names = "--label", paramLabel = "KEY=VALUE", description = "a label that these workers get")
                    Map<String, String> labels,
            @Option(names = "--runtime", paramLabel = "KIND", description = "the only kind that these workers may run")
                    List<String> runtimes)
            throws IOException {
        Requests.token(
                control,
                out,
                worker,
                millis(ttl),
                uses,
                labels == null ? Map.of() : labels,
                runtimes == null ? List.of() : runtimes);
        return 0;
    }

    @Command(name = "certificate", description = "Gets a certificate for a controller on another machine.")
    Integer certificate(
            @Parameters(paramLabel = "NAME", description = "the name of the controller") String name,
            @Option(names = "--out", required = true, paramLabel = "DIR", description = "for its files") Path out,
            @Option(
                            names = "--ttl",
                            paramLabel = "TIME",
                            defaultValue = "30d",
                            description = "how long it is valid; by default ${DEFAULT-VALUE}")
                    String ttl)
            throws IOException {
        Requests.certificate(control, name, out, millis(ttl));
        return 0;
    }

    @Command(name = "drain", description = "Moves all instances of a worker to others, and gives it no more.")
    Integer drain(
            @Parameters(paramLabel = "WORKER", description = "its name") String worker,
            @Option(names = "--within", paramLabel = "TIME", description = "what is left after it is stopped")
                    String within,
            @Option(names = "--undo", description = "the worker gets instances again") boolean undo) {
        Requests.drain(control, worker, within == null ? 0 : millis(within), undo);
        return 0;
    }

    @Command(name = "ban", description = "Ends a worker's session, and accepts none of its certificates any more.")
    Integer ban(
            @Parameters(paramLabel = "WORKER", description = "its name") String worker,
            @Option(names = "--undo", description = "the worker may register again") boolean undo) {
        Requests.ban(control, worker, undo);
        return 0;
    }

    private static long millis(String time) {
        return Durations.parse(time)
                .orElseThrow(() -> new ConfigException(List.of(time + " must be a time, such as 10m.")))
                .toMillis();
    }

    /** What it requests, and prints. All that needs gRPC is here, so that no other command loads it. */
    private static final class Requests {
        static void why(ControlOptions control, String id) {
            control.call(
                            GrpcMethods.EXPLAIN,
                            ExplainRequest.newBuilder().setWorkerId(id).build())
                    .getLinesList()
                    .forEach(System.out::println);
        }

        private static final String ROW = "%-24s %-9s %6s %9s  %-14s %s";

        static void list(ControlOptions control, OutputOption output) {
            var workers = control.call(GrpcMethods.WORKERS, ListRequest.getDefaultInstance());
            if (!output.isTable()) {
                output.print(
                        Json.of(Map.of(
                                "workers",
                                workers.getWorkersList().stream()
                                        .map(Requests::fields)
                                        .toList())),
                        System.out);
                return;
            }
            System.out.println(ROW.formatted("ID", "STATE", "EPOCH", "INSTANCES", "SIZE", "LABELS"));
            workers.getWorkersList().forEach(worker -> print(System.out, worker));
        }

        private static Map<String, Object> fields(WorkerInfo worker) {
            var size = WireForm.amounts(worker.getTotalList());
            var fields = new LinkedHashMap<String, Object>();
            fields.put("id", worker.getWorkerId());
            fields.put("state", worker.getState());
            fields.put("epoch", worker.getSessionEpoch());
            fields.put("instances", worker.getInstances());
            fields.put("milliCpu", size.milliCpu());
            fields.put("memoryBytes", size.memoryBytes());
            fields.put("labels", Map.copyOf(worker.getLabelsMap()));
            if (worker.getUseKnown()) {
                fields.put("cpuPercent", worker.getCpuPercent());
                fields.put("memoryUsedBytes", worker.getMemoryUsed());
            }
            return fields;
        }

        private static void print(PrintStream out, WorkerInfo worker) {
            out.println(ROW.formatted(
                            worker.getWorkerId(),
                            worker.getState(),
                            worker.getSessionEpoch(),
                            worker.getInstances(),
                            Quantities.text(WireForm.amounts(worker.getTotalList())),
                            worker.getLabelsMap().isEmpty() ? "" : worker.getLabelsMap())
                    .stripTrailing());
        }

        static void token(
                ControlOptions control,
                Path out,
                String worker,
                long ttlMs,
                int uses,
                Map<String, String> labels,
                List<String> runtimes)
                throws IOException {
            // Made first, so that no token is issued that cannot be written, and none is an argument or on a screen.
            Files.createFile(out, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try {
                var issued = control.call(
                        GrpcMethods.JOIN_TOKEN,
                        JoinTokenRequest.newBuilder()
                                .setPattern(worker)
                                .setTtlMs(ttlMs)
                                .setUses(uses)
                                .putAllLabels(labels)
                                .addAllRuntimes(Set.copyOf(runtimes))
                                .build());
                Files.writeString(out, issued.getToken() + "\n", StandardOpenOption.WRITE);
                System.out.println(out + " has a token for " + worker);
            } catch (ConsoleException refused) {
                Files.delete(out);
                throw refused;
            }
        }

        static void certificate(ControlOptions control, String name, Path out, long ttlMs) throws IOException {
            var files = new IdentityFiles(out, name);
            var issued = control.call(
                    GrpcMethods.CERTIFICATE,
                    CertificateRequest.newBuilder()
                            .setName(name)
                            .setTtlMs(ttlMs)
                            .setCsr(ByteString.copyFrom(files.request()))
                            .build());
            files.trust(issued.getCa().toByteArray());
            files.issued(issued.getCertificate().toByteArray());
            System.out.println(out + " has a certificate of controller " + name);
        }

        static void drain(ControlOptions control, String worker, long withinMs, boolean undo) {
            print(
                    System.out,
                    control.call(
                            GrpcMethods.DRAIN,
                            DrainRequest.newBuilder()
                                    .setWorkerId(worker)
                                    .setDeadlineMs(withinMs)
                                    .setLift(undo)
                                    .build()));
        }

        static void ban(ControlOptions control, String worker, boolean undo) {
            print(
                    System.out,
                    control.call(
                            GrpcMethods.BAN,
                            BanRequest.newBuilder()
                                    .setWorkerId(worker)
                                    .setLift(undo)
                                    .build()));
        }
    }
}
