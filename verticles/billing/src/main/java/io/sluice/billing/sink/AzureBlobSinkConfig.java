package io.sluice.billing.sink;

import java.time.Duration;
import java.util.Objects;

/**
 * Settings of events as blobs of an Azure container. {@link #checked} validates them, because messages need the
 * section's name.
 *
 * @param endpoint the storage account's URL, such as {@code https://account.blob.core.windows.net}
 * @param container the container that blobs are written to; empty disables this sink
 * @param prefix the prefix of the blobs' names
 * @param connectionStringFile the file with a connection string, read again for each blob; empty for an identity of
 *     Azure's default credential chain. Such an identity needs TLS; a stand-in without TLS, such as Azurite, needs a
 *     key
 * @param pushEvery the longest time that an event waits for its batch
 * @param pushTimeout how long writing one blob may take, with the time to get credentials
 * @param maxBatchSize the most events in one blob
 */
public record AzureBlobSinkConfig(
        String endpoint,
        String container,
        String prefix,
        String connectionStringFile,
        Duration pushEvery,
        Duration pushTimeout,
        int maxBatchSize) {
    /** The default: off. */
    public static final AzureBlobSinkConfig DEFAULTS =
            new AzureBlobSinkConfig("", "", "", "", Duration.ofSeconds(10), Duration.ofSeconds(20), 200);

    public AzureBlobSinkConfig {
        Objects.requireNonNull(endpoint, "endpoint");
        Objects.requireNonNull(container, "container");
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(connectionStringFile, "connectionStringFile");
        Objects.requireNonNull(pushEvery, "pushEvery");
        Objects.requireNonNull(pushTimeout, "pushTimeout");
    }

    /** Whether this sink is switched on. */
    public boolean on() {
        return !container.isBlank();
    }

    /**
     * Returns this config if it is valid.
     *
     * @param section section of the config, such as {@code billing.azureBlob}
     * @throws IllegalArgumentException with a message that names the key to change
     */
    public AzureBlobSinkConfig checked(String section) {
        var rules = new SinkRules(section);
        rules.pushEvery(pushEvery);
        rules.pushTimeout(pushTimeout);
        rules.maxBatchSize(maxBatchSize);
        rules.path("connectionStringFile", connectionStringFile);
        rules.prefix(prefix);
        if (on()) {
            rules.named("endpoint", endpoint, "the storage account's URL");
            var url = rules.url("endpoint", endpoint);
            if (connectionStringFile.isBlank() && !"https".equals(url.getScheme())) {
                throw rules.refused("endpoint must begin with https where " + section
                        + ".connectionStringFile is not given, because identities are sent over TLS only: " + endpoint);
            }
        }
        return this;
    }

    /** Like {@link #checked}, and requires a prefix, without which names would mix with those of other writers. */
    public AzureBlobSinkConfig checkedWithPrefix(String section) {
        if (on()) {
            new SinkRules(section).named("prefix", prefix, "the beginning of the blobs' names");
        }
        return checked(section);
    }
}
