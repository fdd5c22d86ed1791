package io.sluice.units;

import java.util.Objects;

/**
 * Identifies one VM for its whole life; a VM that is deleted and created again under the same name has another uid.
 *
 * @param driver what applies a size to it, such as {@code neonvm}
 * @param namespace its namespace
 * @param name its name within the namespace
 * @param uid unique over all time
 */
public record VmId(String driver, String namespace, String name, String uid) {
    public VmId {
        Objects.requireNonNull(driver, "driver");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(uid, "uid");
    }

    /** The name that users use: {@code namespace/name}. */
    public String label() {
        return namespace + "/" + name;
    }
}
