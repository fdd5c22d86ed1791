package io.sluice.neonvm.api;

import io.fabric8.kubernetes.client.OAuthTokenProvider;
import io.sluice.shell.LogKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The token of a service account. Tokens are renewed in place before they expire, so it suffices to read the file at
 * intervals. While the file cannot be read, or is empty, the last token stays in force. Safe from any thread.
 */
final class TokenFile implements OAuthTokenProvider {
    static final Duration AGE_MAX = Duration.ofSeconds(30);
    private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);

    private final Path file;
    private final LongSupplier nanos;
    private final AtomicReference<Optional<Token>> last = new AtomicReference<>(Optional.empty());
    private final AtomicBoolean complained = new AtomicBoolean();

    private record Token(String text, long readAtNanos) {}

    /** @param nanos a clock as {@link System#nanoTime} */
    TokenFile(Path file, LongSupplier nanos) {
        this.file = file;
        this.nanos = nanos;
    }

    @Override
    public String getToken() {
        var known = last.get();
        long now = nanos.getAsLong();
        if (known.filter(token -> now - token.readAtNanos() < AGE_MAX.toNanos()).isPresent()) {
            return known.get().text();
        }
        try {
            var read = read();
            last.set(Optional.of(new Token(read, now)));
            complained.set(false);
            return read;
        } catch (IOException unreadable) {
            var message = "kubernetes.tokenFile " + file + " cannot be read: " + unreadable;
            if (known.isEmpty()) {
                throw new IllegalStateException(message);
            }
            if (!complained.getAndSet(true)) {
                LOG.atWarn()
                        .addKeyValue(LogKeys.ERROR, message)
                        .log("The token for the API server cannot be renewed; the last good one is used.");
            }
            return known.get().text();
        }
    }

    private String read() throws IOException {
        var text = Files.readString(file).strip();
        if (text.isEmpty()) {
            throw new IOException("it is empty");
        }
        return text;
    }
}
