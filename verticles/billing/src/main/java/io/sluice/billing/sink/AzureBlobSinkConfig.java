package io.sluice.billing.sink;

import java.time.Duration;
import java.util.Objects;

/**
 * Events as blobs of a container of Azure. Whether it fits is checked by {@link #checked}, as only the owner knows the
 * section's name.
 *
 * @param endpoint of the storage account, such as {@code https://account.blob.core.windows.net}
 * @param container where blobs are put; empty switches this off
 * @param prefix of the blobs' names
 * @param connectionStringFile file with a connection string, whose account and key are used, read again for each blob;
 *     empty asks where Azure's tools look for an identity. Such an identity is told over TLS only: a stand-in such as
 *     Azurite, without TLS, takes a key
 * @param pushEvery how long an event waits for others at most
 * @param pushTimeout how long putting one blob may take, with what it takes to get credentials
 * @param maxBatchSize how many events share a blob at most
 */
public record AzureBlobSinkConfig(
        String endpoint,
        String container,
        String prefix,
        String connectionStringFile,
        Duration pushEvery,
        Duration pushTimeout,
        int maxBatchSize) {
    /** Off. */
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

    /** Whether events go this way. */
    public boolean on() {
        return !container.isBlank();
    }

    /**
     * This config, if it can be worked by.
     *
     * @param section of the config, such as {@code billing.azureBlob}
     * @throws IllegalArgumentException with a sentence that names the key to change
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
                        + ".connectionStringFile is not given, as an identity is told over TLS only: " + endpoint);
            }
        }
        return this;
    }

    /** The same where names without a prefix would lie among others'. */
    public AzureBlobSinkConfig checkedWithPrefix(String section) {
        if (on()) {
            new SinkRules(section).named("prefix", prefix, "the beginning of the blobs' names");
        }
        return checked(section);
    }
}
