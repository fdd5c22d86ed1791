package io.sluice.launcher.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.pods.core.PodCheck;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Reports on pods that are, or could be, scaled in place. */
@Command(
        name = "pods",
        description = "Reports which pods could be scaled in place.",
        mixinStandardHelpOptions = true,
        subcommands = PodsCommand.Check.class)
public final class PodsCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        System.err.println("sluice: a subcommand is missing: check -n NAMESPACE");
        return CommandLine.ExitCode.USAGE;
    }

    /** Reads a namespace and prints a line for each pod. */
    @Command(
            name = "check",
            description = "Prints which pods of a namespace are scaled, which could be, and why the others could not.",
            mixinStandardHelpOptions = true)
    static final class Check implements Callable<Integer> {
        @Option(
                names = {"-n", "--namespace"},
                required = true,
                paramLabel = "NAMESPACE",
                description = "the namespace")
        private String namespace;

        @Option(
                names = "--server",
                paramLabel = "URL",
                defaultValue = "http://127.0.0.1:8001",
                description = "the API server; by default ${DEFAULT-VALUE}, where kubectl proxy listens")
        private String server;

        @Option(names = "--token-file", paramLabel = "FILE", description = "a file with a token, if one is needed")
        private String token = "";

        @Option(names = "--ca", paramLabel = "FILE", description = "PEM file with the issuers of its certificate")
        private String issuers = "";

        @Override
        public Integer call() {
            new Report(namespace, server, token, issuers).print();
            return CommandLine.ExitCode.OK;
        }
    }

    /** What is read of a namespace. Its libraries are loaded for it alone. */
    private record Report(String namespace, String server, String token, String issuers) {
        private static final ObjectMapper MAPPER = new ObjectMapper();
        private static final int NOT_FOUND = 404;
        private static final String ROW = "%-40s %-7s %s%n";

        void print() {
            var usual = KubernetesConfig.DEFAULTS;
            var config = new KubernetesConfig(
                    server,
                    token,
                    issuers,
                    usual.requestTimeout(),
                    usual.relistEvery(),
                    usual.watchSilence(),
                    usual.requestsInFlightMax());
            try (var client = KubernetesConnection.open(config)) {
                var check = new PodCheck(
                        list(client, "/apis/autoscaling/v2", "horizontalpodautoscalers"),
                        list(client, "/apis/autoscaling.k8s.io/v1", "verticalpodautoscalers"),
                        list(client, "/api/v1", "resourcequotas"),
                        list(client, "/api/v1", "limitranges"));
                System.out.printf(ROW, "POD", "SCALED", "WHY");
                list(client, "/api/v1", "pods").stream().map(check::check).forEach(Report::print);
            }
        }

        private static void print(PodCheck.Row row) {
            var word = row.answer() == PodCheck.Answer.SCALED
                    ? "yes"
                    : row.answer().name().toLowerCase(Locale.ROOT);
            var reasons = row.reasons().isEmpty() ? List.of("") : row.reasons();
            System.out.printf(ROW, row.pod(), word, reasons.getFirst());
            reasons.stream().skip(1).forEach(reason -> System.out.printf(ROW, "", "", reason));
        }

        /** All objects of a kind; none if the Kubernetes cluster does not have it. */
        private List<JsonNode> list(KubernetesClient client, String group, String kind) {
            var path = group + "/namespaces/" + namespace + "/" + kind;
            try {
                var request = client.getHttpClient()
                        .newHttpRequestBuilder()
                        .uri(server + path)
                        .build();
                var answer =
                        client.getHttpClient().sendAsync(request, String.class).get(30, TimeUnit.SECONDS);
                if (answer.code() == NOT_FOUND) {
                    return List.of();
                }
                if (!answer.isSuccessful()) {
                    throw new ConsoleException(path + " was answered " + answer.code());
                }
                return MAPPER.readTree(answer.body())
                        .path("items")
                        .valueStream()
                        .toList();
            } catch (ExecutionException | TimeoutException | JsonProcessingException noAnswer) {
                throw new ConsoleException(server + path + " cannot be read: " + noAnswer.getMessage(), noAnswer);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new ConsoleException("interrupted", interrupted);
            }
        }
    }
}
