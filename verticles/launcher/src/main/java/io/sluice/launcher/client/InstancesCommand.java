package io.sluice.launcher.client;

import com.google.protobuf.Message;
import io.sluice.shell.Quantities;
import io.sluice.shell.config.ConfigException;
import io.sluice.units.Resources;
import io.sluice.workers.GrpcMethods;
import io.sluice.workers.WireForm;
import io.sluice.workers.control.v1.ExplainRequest;
import io.sluice.workers.control.v1.Gang;
import io.sluice.workers.control.v1.Instance;
import io.sluice.workers.control.v1.InstanceRef;
import io.sluice.workers.control.v1.ListRequest;
import io.sluice.workers.control.v1.RestartPolicy;
import io.sluice.workers.control.v1.SubmitResult;
import io.sluice.workers.control.v1.Target;
import io.sluice.workers.control.v1.UpdateRequest;
import io.sluice.workers.control.v1.WorkloadSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates, resizes, deletes and lists instances on workers. */
@Command(
        name = "instances",
        description = "Creates, resizes, deletes and lists instances on workers.",
        mixinStandardHelpOptions = true)
public final class InstancesCommand implements Callable<Integer> {
    @Mixin
    private ControlOptions control;

    @Override
    public Integer call() {
        System.err.println("sluice: a command is missing: create, update, delete, list or why");
        return 2;
    }

    @Command(name = "create", description = "Creates an instance. The same command may be repeated.")
    Integer create(
            @Parameters(paramLabel = "ID", description = "its id") String id,
            @Option(
                            names = "--definition",
                            required = true,
                            paramLabel = "FILE",
                            description = "JSON: kind, command, args, env; a file, so that no secret is an argument")
                    Path definition,
            @Option(names = "--cpu", required = true, paramLabel = "CPU", description = "such as 500m") String cpu,
            @Option(names = "--memory", required = true, paramLabel = "BYTES", description = "such as 256Mi")
                    String memory,
            @Option(names = "--exclusive", description = "it must never run twice at a time") boolean exclusive,
            @Option(
                            names = "--restart",
                            paramLabel = "WHEN",
                            defaultValue = "ON_FAILURE",
                            description = "on_failure, always or never")
                    String restart,
            @Option(
                            names = "--gang",
                            paramLabel = "NAME",
                            description = "it starts together with others, or not at all")
                    String gang,
            @Option(
                            names = "--min-members",
                            paramLabel = "COUNT",
                            defaultValue = "1",
                            description = "how many of its gang start together at least")
                    int minMembers,
            @Option(
                            names = "--on",
                            paramLabel = "WHERE",
                            defaultValue = "WORKERS",
                            description = "workers, kubernetes (as a pod there), or anywhere of both")
                    String on)
            throws IOException {
        var together = Optional.ofNullable(gang).map(name -> Map.entry(name, minMembers));
        requests().create(id, Files.readString(definition), amounts(cpu, memory), exclusive, restart, together, on);
        return 0;
    }

    @Command(name = "update", description = "Changes the size of an instance where it runs.")
    Integer update(
            @Parameters(paramLabel = "ID", description = "its id") String id,
            @Option(names = "--cpu", required = true, paramLabel = "CPU", description = "such as 500m") String cpu,
            @Option(names = "--memory", required = true, paramLabel = "BYTES", description = "such as 256Mi")
                    String memory) {
        requests().update(id, amounts(cpu, memory));
        return 0;
    }

    @Command(name = "delete", description = "Ends an instance for good.")
    Integer delete(@Parameters(paramLabel = "ID", description = "its id") String id) {
        requests().delete(id);
        return 0;
    }

    @Command(name = "why", description = "Prints why an instance is in its state.")
    Integer why(@Parameters(paramLabel = "ID", description = "its id") String id) {
        Requests.why(control, id);
        return 0;
    }

    @Command(name = "list", description = "Prints all instances.")
    Integer list(@Mixin OutputOption output) {
        requests().list(output);
        return 0;
    }

    private static Resources amounts(String cpu, String memory) {
        try {
            return new Resources(Quantities.milliCpu(cpu), Quantities.bytes(memory));
        } catch (IllegalArgumentException wrong) {
            throw new ConfigException(List.of("--cpu and --memory must be amounts: " + wrong.getMessage() + "."));
        }
    }

    private Requests requests() {
        return new Requests(control);
    }

    /** What it requests, and prints. All that needs gRPC is here, so that no other command loads it. */
    private static final class Requests {
        static void why(ControlOptions control, String id) {
            control.call(
                            GrpcMethods.EXPLAIN,
                            ExplainRequest.newBuilder().setInstanceId(id).build())
                    .getLinesList()
                    .forEach(System.out::println);
        }

        private static final String ROW = "%-20s %-11s %-16s %4s  %-14s %s";

        private final ControlOptions control;
        private final PrintStream out = System.out;

        Requests(ControlOptions control) {
            this.control = control;
        }

        void create(
                String id,
                String definition,
                Resources size,
                boolean exclusive,
                String restart,
                Optional<Map.Entry<String, Integer>> gang,
                String on) {
            var spec = WorkloadSpec.newBuilder()
                    .setWorkloadId(id)
                    .setInstanceId(id)
                    .setDefinition(definition)
                    .addAllRequests(WireForm.resources(size))
                    .setExclusive(exclusive)
                    .setRestart(policy(restart))
                    .setOn(target(on));
            gang.ifPresent(named ->
                    spec.setGang(Gang.newBuilder().setName(named.getKey()).setMinMembers(named.getValue())));
            print("created", call(GrpcMethods.SUBMIT, spec.build()));
        }

        private static RestartPolicy policy(String restart) {
            try {
                return RestartPolicy.valueOf(restart.toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException unknown) {
                throw new ConfigException(List.of("--restart=" + restart + " must be on_failure, always or never."));
            }
        }

        private static Target target(String on) {
            try {
                return Target.valueOf(on.toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException unknown) {
                throw new ConfigException(List.of("--on=" + on + " must be workers, anywhere or kubernetes."));
            }
        }

        void update(String id, Resources size) {
            var request = UpdateRequest.newBuilder()
                    .setInstanceId(id)
                    .addAllRequests(WireForm.resources(size))
                    .build();
            print("updated", call(GrpcMethods.UPDATE, request));
        }

        void delete(String id) {
            var request = InstanceRef.newBuilder().setInstanceId(id).build();
            print("deleted", call(GrpcMethods.REMOVE, request));
        }

        void list(OutputOption output) {
            var instances = call(GrpcMethods.INSTANCES, ListRequest.getDefaultInstance())
                    .getInstancesList();
            if (!output.isTable()) {
                output.print(
                        Json.of(Map.of(
                                "instances",
                                instances.stream().map(Requests::fields).toList())),
                        out);
                return;
            }
            out.println(ROW.formatted("ID", "STATE", "WORKER", "GEN", "SIZE", "REASON"));
            instances.forEach(this::print);
        }

        private static Map<String, Object> fields(Instance instance) {
            var size = WireForm.amounts(instance.getGrantList());
            var fields = new LinkedHashMap<String, Object>();
            fields.put("id", instance.getInstanceId());
            fields.put("workload", instance.getWorkloadId());
            fields.put("state", instance.getState());
            fields.put("reason", instance.getReason());
            fields.put("worker", instance.getWorkerId());
            fields.put("generation", instance.getGeneration());
            fields.put("milliCpu", size.milliCpu());
            fields.put("memoryBytes", size.memoryBytes());
            fields.put("exclusive", instance.getExclusive());
            fields.put("exitCode", instance.getExitCode());
            return fields;
        }

        private void print(Instance instance) {
            out.println(ROW.formatted(
                            instance.getInstanceId(),
                            instance.getState(),
                            instance.getWorkerId(),
                            instance.getGeneration(),
                            Quantities.text(WireForm.amounts(instance.getGrantList())),
                            instance.getReason())
                    .stripTrailing());
        }

        private void print(String done, SubmitResult result) {
            out.println(result.getInstanceId() + " " + done + ", generation " + result.getGeneration());
        }

        private <Q extends Message, A extends Message> A call(GrpcMethods.Method<Q, A> method, Q request) {
            return control.call(method, request);
        }
    }
}
