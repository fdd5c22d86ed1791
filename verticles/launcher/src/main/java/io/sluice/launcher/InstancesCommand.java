package io.sluice.launcher;

import com.google.protobuf.Message;
import io.sluice.shell.Quantities;
import io.sluice.shell.config.ConfigException;
import io.sluice.units.Resources;
import io.sluice.workers.ControlClient;
import io.sluice.workers.GrpcMethods;
import io.sluice.workers.WireForm;
import io.sluice.workers.WorkersTls;
import io.sluice.workers.control.v1.Instance;
import io.sluice.workers.control.v1.InstanceRef;
import io.sluice.workers.control.v1.ListRequest;
import io.sluice.workers.control.v1.RestartPolicy;
import io.sluice.workers.control.v1.SubmitResult;
import io.sluice.workers.control.v1.UpdateRequest;
import io.sluice.workers.control.v1.WorkloadSpec;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates, resizes, deletes and lists instances on workers. */
@Command(
        name = "instances",
        description = "Creates, resizes, deletes and lists instances on workers.",
        mixinStandardHelpOptions = true)
final class InstancesCommand implements Callable<Integer> {
    private static final Duration REPLY_MAX = Duration.ofSeconds(30);
    private static final String ROW = "%-20s %-11s %-16s %4s  %-14s %s";

    @Option(
            names = "--control",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:4996",
            description = "the listener for controllers; by default ${DEFAULT-VALUE}")
    private String control;

    @Option(names = "--cert", paramLabel = "FILE", description = "PEM file with a certificate, for TLS")
    private String cert = "";

    @Option(names = "--key", paramLabel = "FILE", description = "PEM file with its private key")
    private String key = "";

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "PEM file with the issuers of the listener's certificate")
    private String issuers = "";

    private final PrintStream out = System.out;

    @Override
    public Integer call() {
        System.err.println("sluice: a command is missing: create, update, delete or list");
        return Main.MISUSED;
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
                    RestartPolicy restart)
            throws StartException, IOException {
        var spec = WorkloadSpec.newBuilder()
                .setWorkloadId(id)
                .setInstanceId(id)
                .setDefinition(Files.readString(definition))
                .addAllRequests(WireForm.resources(amounts(cpu, memory)))
                .setExclusive(exclusive)
                .setRestart(restart)
                .build();
        return print("created", call(GrpcMethods.SUBMIT, spec));
    }

    @Command(name = "update", description = "Changes the size of an instance where it runs.")
    Integer update(
            @Parameters(paramLabel = "ID", description = "its id") String id,
            @Option(names = "--cpu", required = true, paramLabel = "CPU", description = "such as 500m") String cpu,
            @Option(names = "--memory", required = true, paramLabel = "BYTES", description = "such as 256Mi")
                    String memory)
            throws StartException {
        var request = UpdateRequest.newBuilder()
                .setInstanceId(id)
                .addAllRequests(WireForm.resources(amounts(cpu, memory)))
                .build();
        return print("updated", call(GrpcMethods.UPDATE, request));
    }

    @Command(name = "delete", description = "Ends an instance for good.")
    Integer delete(@Parameters(paramLabel = "ID", description = "its id") String id) throws StartException {
        return print(
                "deleted",
                call(
                        GrpcMethods.REMOVE,
                        InstanceRef.newBuilder().setInstanceId(id).build()));
    }

    @Command(name = "list", description = "Prints all instances.")
    Integer list() throws StartException {
        out.println(ROW.formatted("ID", "STATE", "WORKER", "GEN", "SIZE", "REASON"));
        call(GrpcMethods.INSTANCES, ListRequest.getDefaultInstance())
                .getInstancesList()
                .forEach(this::print);
        return Main.OK;
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

    private int print(String done, SubmitResult result) {
        out.println(result.getInstanceId() + " " + done + ", generation " + result.getGeneration());
        return Main.OK;
    }

    private static Resources amounts(String cpu, String memory) {
        try {
            return new Resources(Quantities.milliCpu(cpu), Quantities.bytes(memory));
        } catch (IllegalArgumentException wrong) {
            throw new ConfigException(List.of("--cpu and --memory must be amounts: " + wrong.getMessage() + "."));
        }
    }

    private <Q extends Message, A extends Message> A call(GrpcMethods.Method<Q, A> method, Q request)
            throws StartException {
        int colon = control.lastIndexOf(':');
        if (colon < 1) {
            throw new ConfigException(List.of("--control=" + control + " must be HOST:PORT."));
        }
        var vertx = Vertx.vertx();
        try {
            var client = new ControlClient(
                    vertx,
                    control.substring(0, colon),
                    Integer.parseInt(control.substring(colon + 1)),
                    new WorkersTls(cert, key, issuers));
            return BlockingWait.on(client.call(method, request), REPLY_MAX, "refused");
        } finally {
            vertx.close();
        }
    }
}
