package io.sluice.simulation.planted;

import java.io.IOException;
import java.util.Map;

/** Defines every class of the project itself, those with the bug from memory; its parent loads all others. */
final class MutantLoader extends ClassLoader {
    private static final String OURS = "io.sluice.";

    static {
        registerAsParallelCapable();
    }

    private final Map<String, byte[]> planted;

    MutantLoader(Map<String, byte[]> planted) {
        super(MutantLoader.class.getClassLoader());
        this.planted = Map.copyOf(planted);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            var loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        var bytes = planted.get(name);
        if (bytes == null) {
            bytes = onClassPath(name);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] onClassPath(String name) throws ClassNotFoundException {
        try (var stream = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (stream == null) {
                throw new ClassNotFoundException(name);
            }
            return stream.readAllBytes();
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }
}
