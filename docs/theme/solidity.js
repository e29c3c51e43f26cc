// Colours for Solidity, which the book's highlighter does not know.
'use strict';
hljs.registerLanguage('solidity', (hljs) => ({
    keywords: {
        keyword: 'abstract as assembly assert break case catch constant constructor continue contract delete do else emit ' +
            'enum error event external fallback final for function if immutable import indexed interface internal is ' +
            'library mapping memory modifier new override payable pragma private public pure receive require return ' +
            'returns revert storage calldata struct throw transient try type unchecked using var view virtual while',
        type: 'address bool bytes bytes4 bytes32 int int256 string uint uint8 uint16 uint64 uint128 uint256',
        literal: 'true false wei gwei ether seconds minutes hours days weeks',
        built_in: 'block msg tx this super abi keccak256 blockhash gasleft',
    },
    contains: [
        hljs.COMMENT('///?', '$', { contains: [{ className: 'doctag', begin: '@(notice|custom:[a-z]+).*' }] }),
        hljs.COMMENT('/\\*', '\\*/', { contains: [{ className: 'doctag', begin: '@(notice|custom:[a-z]+).*' }] }),
        hljs.APOS_STRING_MODE,
        hljs.QUOTE_STRING_MODE,
        hljs.C_NUMBER_MODE,
    ],
}));
for (const block of document.querySelectorAll('code.language-solidity')) {
    hljs.highlightBlock(block);
}
