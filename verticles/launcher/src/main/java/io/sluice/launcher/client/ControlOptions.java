package io.sluice.launcher.client;

import com.google.protobuf.Message;
import io.sluice.shell.config.ConfigException;
import io.sluice.workers.ControlClient;
import io.sluice.workers.GrpcMethods;
import io.sluice.workers.WorkersTls;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Option;

/** Where the listener for controllers is, and with which certificate it is called. */
final class ControlOptions {
    @Option(
            names = "--control",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:4996",
            description = "the listener for controllers; by default ${DEFAULT-VALUE}")
    private String control;

    @Option(names = "--cert", paramLabel = "FILE", description = "PEM file with a controller's certificate, for TLS")
    private String cert = "";

    @Option(names = "--key", paramLabel = "FILE", description = "PEM file with its private key")
    private String key = "";

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "PEM file with the issuers of the listener's certificate")
    private String issuers = "";

    @Option(
            names = "--identity",
            paramLabel = "DIR/NAME",
            description = "instead of these three the files DIR/NAME.crt, DIR/NAME.key and DIR/ca.crt, such as"
                    + " workers-authority/admin")
    private Optional<Path> identity;

    <Q extends Message, A extends Message> A call(GrpcMethods.Method<Q, A> method, Q request) {
        return Calls.call(control, tls(), method, request);
    }

    private WorkersTls tls() {
        return identity.map(files -> new WorkersTls(
                        files + ".crt",
                        files + ".key",
                        files.resolveSibling("ca.crt").toString()))
                .orElseGet(() -> new WorkersTls(cert, key, issuers));
    }

    /** All that needs gRPC is here, so that no other command loads it. */
    private static final class Calls {
        private static final Duration REPLY_MAX = Duration.ofSeconds(30);

        static <Q extends Message, A extends Message> A call(
                String control, WorkersTls tls, GrpcMethods.Method<Q, A> method, Q request) {
            int colon = control.lastIndexOf(':');
            var vertx = Vertx.vertx();
            try {
                var client = new ControlClient(
                        vertx, control.substring(0, colon), Integer.parseInt(control.substring(colon + 1)), tls);
                return client.call(method, request)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(REPLY_MAX.toNanos(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException refused) {
                throw new ConsoleException("refused: " + refused.getCause().getMessage());
            } catch (TimeoutException late) {
                throw new ConsoleException("not completed within " + REPLY_MAX.toSeconds() + " s");
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new ConsoleException("interrupted");
            } catch (IndexOutOfBoundsException | NumberFormatException noAddress) {
                throw new ConfigException(List.of("--control=" + control + " must be HOST:PORT."));
            } finally {
                vertx.close();
            }
        }
    }
}
