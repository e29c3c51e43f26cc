// Preprocessed only: the last line that is left names the archives of this library.
#include <version>
#if __has_include(<format>)
#ifdef _LIBCPP_VERSION
library c++ c++abi
#else
library stdc++
#endif
#endif
